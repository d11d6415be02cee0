// Search of the documentation when its pages are opened from disk. Browsers start no worker there, so the
// script of the worker runs in a hidden frame that has the same interface. On a server nothing is changed.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = this.onmessageerror = this.onerror = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.appendChild(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => setTimeout(() => this.tell("message", { data }));
      const script = inside.document.createElement("script");
      script.src = new URL(address, document.baseURI);
      script.onload = () => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      };
      script.onerror = () => this.tell("error", {});
      inside.document.documentElement.appendChild(script);
    }

    tell(kind, given) {
      const event = kind === "message" ? new MessageEvent(kind, given) : new Event(kind);
      if (this["on" + kind]) this["on" + kind](event);
      this.dispatchEvent(event);
    }

    postMessage(data) {
      if (!this.ready) this.waiting.push(data);
      else setTimeout(() => this.frame.contentWindow?.onmessage?.({ data: structuredClone(data) }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
