# One function per job. Further options of the command are named arguments: cell_size = 11 is --cell-size 11.

table_risk <- function(table, quasi, ...) {
  with_table(table, function(path) {
    reidrisk("table", "risk", path, option_words(list(quasi = quasi, ...)))
  })
}

deidentify_table <- function(table, quasi, out = NULL, ...) {
  folder <- tempfile("reidrisk-")
  dir.create(folder, mode = "0700")
  on.exit(unlink(folder, recursive = TRUE))
  target <- if (is.null(out)) file.path(folder, "released.csv") else path.expand(out)
  result <- with_table(table, function(path) {
    reidrisk("table", "deidentify", path, option_words(list(quasi = quasi, ..., out = target)))
  })
  if (is.null(out) && file.exists(target)) {
    result$released <- read_released(target, table)
  }
  result
}

table_attack <- function(original, released, quasi, ...) {
  with_table(original, function(first) with_table(released, function(second) {
    reidrisk("table", "attack", second, option_words(list(against = first, quasi = quasi, ...)))
  }))
}

table_utility <- function(original, released, ...) {
  with_table(original, function(first) with_table(released, function(second) {
    reidrisk("table", "utility", second, option_words(list(against = first, ...)))
  }))
}

evaluate_text <- function(gold, tool, ...) {
  reidrisk("text", "evaluate", path.expand(gold), path.expand(tool), option_words(list(...)))
}

population_risk <- function(population, ...) {
  reidrisk("population", "risk", path.expand(population), option_words(list(...)))
}

assess_release <- function(release, ...) {
  reidrisk("assess", path.expand(release), option_words(list(...)))
}

gate_release <- function(release, ...) {
  reidrisk("gate", path.expand(release), option_words(list(...)))
}
