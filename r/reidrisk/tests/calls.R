# The real program is called. Without it, nothing can be tested.
library(reidrisk)

found <- tryCatch(reidrisk_program(), error = function(problem) "")
if (!nzchar(found)) {
  cat("The program reidrisk is not installed: no test was run.\n")
  quit(status = 0)
}

people <- data.frame(
  age = rep(30:33, 20),
  sex = rep(c("F", "M"), each = 2, times = 20),
  code = sprintf("%03d", rep(1:4, 20)),
  stringsAsFactors = FALSE
)

# An acceptable table and one that is not: both are results.
good <- table_risk(people, quasi = c("age", "sex"))
stopifnot(isTRUE(good$acceptable), attr(good, "exit_code") == 0L, good$kind == "table_risk")
stopifnot(good$records == 80, all.equal(good$prosecutor$highest, 1 / 20), is.data.frame(good$risk_curve))
bad <- table_risk(people, quasi = c("age", "sex"), cell_size = 50)
stopifnot(isFALSE(bad$acceptable), attr(bad, "exit_code") == 3L)
row <- as.data.frame(bad)
stopifnot(nrow(row) == 1, row[["prosecutor.highest"]] == 1 / 20)
shown <- capture.output(print(bad))
stopifnot(grepl("NOT acceptable", shown[1]))

# An error of the command is an R error with its message.
message_of <- function(call) tryCatch({ call; "" }, error = conditionMessage)
stopifnot(grepl("no column 'nobody'", message_of(table_risk(people, quasi = "nobody"))))
stopifnot(grepl("does not exist", message_of(table_risk("nowhere.csv", quasi = "age"))))
stopifnot(grepl("No such option", message_of(table_risk(people, quasi = "age", no_such_option = 1))))
stopifnot(grepl("need names", message_of(table_risk(people, "age", 11))))

# A released table comes back as a data frame; only numbers become numbers.
done <- deidentify_table(people, quasi = c("age", "sex"), other = "code=a test")
stopifnot(isTRUE(done$acceptable), nrow(done$released) == 80, is.numeric(done$released$age))
stopifnot(identical(sort(unique(done$released$code)), c("001", "002", "003", "004")))
women <- people[people$sex == "F", ]
stopifnot(identical(unique(deidentify_table(women, c("age", "sex"), other = "code=a test")$released$sex), "F"))

# Names with spaces and quotes arrive as they are; no file is left.
odd <- file.path(tempdir(), "it's a table.csv")
write.csv(people, odd, row.names = FALSE)
stopifnot(isTRUE(table_risk(odd, quasi = c("age", "sex"))$acceptable))
stopifnot(!length(list.files(tempdir(), pattern = "^reidrisk-")))

same <- table_utility(people, people)
stopifnot(same$kind == "table_utility")

# A missing program is a clear error.
options(reidrisk.program = "no-such-program")
stopifnot(grepl("was not found", message_of(reidrisk_program())))
