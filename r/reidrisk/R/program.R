# Run the command line program. Exit codes 0 and 3 are results; 1 and 2 are errors.

reidrisk_program <- function() {
  named <- getOption("reidrisk.program", Sys.getenv("REIDRISK_PROGRAM", "reidrisk"))
  found <- unname(Sys.which(named))
  if (!nzchar(found)) {
    stop("The program 'reidrisk' was not found. Install it, or name it: ",
         "options(reidrisk.program = \"/path/to/reidrisk\").", call. = FALSE)
  }
  found
}

reidrisk <- function(...) {
  words <- as.character(c(...))
  answer <- tempfile("reidrisk-", fileext = ".json")
  said <- tempfile("reidrisk-")
  on.exit(unlink(c(answer, said)))
  code <- suppressWarnings(system2(reidrisk_program(), shQuote(c(words, "--json", answer, "--quiet")),
                                   stdout = FALSE, stderr = said))
  message_text <- paste(readLines(said, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  if (!code %in% c(0L, 3L)) {
    stop(if (nzchar(message_text)) message_text else paste("reidrisk ended with exit code", code),
         call. = FALSE)
  }
  if (nzchar(message_text)) message(message_text)
  result <- jsonlite::fromJSON(answer, simplifyVector = TRUE, simplifyMatrix = FALSE)
  structure(result, class = c("reidrisk_result", "list"), exit_code = as.integer(code))
}

print.reidrisk_result <- function(x, ...) {
  word <- if (isTRUE(x$acceptable)) "acceptable" else if (identical(x$decision, "undecided")) "undecided"
          else if (isFALSE(x$acceptable)) "NOT acceptable" else "no verdict"
  cat(gsub("_", " ", x$kind), ": ", word, "\n", sep = "")
  reasons <- if (is.data.frame(x$reasons)) x$reasons$text else unlist(x$reasons)
  for (reason in as.character(reasons)) cat(strwrap(reason, indent = 2, exdent = 4), sep = "\n")
  invisible(x)
}

as.data.frame.reidrisk_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  # The figures of a result in one row; names of nested figures are joined by dots.
  flat <- unlist_figures(unclass(x)[setdiff(names(x), c("settings", "versions"))], "")
  data.frame(flat, row.names = row.names, check.names = FALSE, stringsAsFactors = FALSE)
}

unlist_figures <- function(value, prefix) {
  found <- list()
  for (name in names(value)) {
    one <- value[[name]]
    own <- paste0(prefix, name)
    if (is.list(one) && !is.data.frame(one) && !is.null(names(one))) {
      found <- c(found, unlist_figures(one, paste0(own, ".")))
    } else if (is.atomic(one) && length(one) == 1L) {
      found[[own]] <- one
    }
  }
  found
}

# Options as words: list(cell_size = 5) becomes --cell-size 5, TRUE a flag, several values one text with commas.
# An option that may be repeated is given several times: other = "a=reason", other = "b=reason".
option_words <- function(given) {
  if (length(given) && (is.null(names(given)) || !all(nzchar(names(given))))) {
    stop("Options need names, such as cell_size = 11.", call. = FALSE)
  }
  words <- character()
  for (at in seq_along(given)) {
    value <- given[[at]]
    if (is.null(value) || identical(value, FALSE)) next
    option <- paste0("--", gsub("_", "-", names(given)[at], fixed = TRUE))
    text <- if (is.numeric(value)) format(value, digits = 15, scientific = FALSE, trim = TRUE) else value
    words <- c(words, if (isTRUE(value)) option else c(option, paste(text, collapse = ",")))
  }
  words
}

# A data frame is written as a CSV file for the time of the call; a path stays as it is.
with_table <- function(table, action) {
  if (!is.data.frame(table)) return(action(path.expand(table)))
  folder <- tempfile("reidrisk-")
  dir.create(folder, mode = "0700")
  on.exit(unlink(folder, recursive = TRUE))
  path <- file.path(folder, "table.csv")
  write.csv(table, path, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  action(path)
}

# A released table. Values stay texts, unless the column was numeric before and still is.
read_released <- function(path, original) {
  found <- read.csv(path, check.names = FALSE, colClasses = "character", na.strings = "",
                    fileEncoding = "UTF-8")
  for (name in names(found)) {
    if (!is.data.frame(original) || !is.numeric(original[[name]])) next
    numbers <- suppressWarnings(as.numeric(found[[name]]))
    if (!any(is.na(numbers) & !is.na(found[[name]]))) found[[name]] <- numbers
  }
  found
}
