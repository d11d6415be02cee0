"""Results as checks that pipelines understand: JUnit, SARIF and Markdown."""
