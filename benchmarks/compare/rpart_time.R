# Fits rpart once for every line it is sent: what each fit took, and at the end the leaves and the share of
# right answers on other rows.
suppressWarnings(suppressMessages(library(rpart)))
arguments <- commandArgs(trailingOnly = TRUE)
read <- function(path) read.csv(path, stringsAsFactors = TRUE, na.strings = "", fileEncoding = "UTF-8")
rows <- read(arguments[1])
fresh <- read(arguments[2])
for (name in names(rows)) {
  if (is.factor(rows[[name]])) fresh[[name]] <- factor(fresh[[name]], levels = levels(rows[[name]]))
}
target <- names(rows)[ncol(rows)]
control <- rpart.control(minsplit = 20, minbucket = 7, cp = 0.001, xval = 10)
cat("ready\n")
flush(stdout())
asked <- file("stdin", open = "r")
while (length(readLines(asked, 1)) > 0) {
  took <- system.time(tree <- rpart(as.formula(paste(target, "~ .")), rows, method = "class", control = control))
  cat("run", took[["user.self"]] + took[["sys.self"]], took[["elapsed"]], "\n")
  flush(stdout())
}
best <- tree$cptable[which.min(tree$cptable[, "xerror"]), "CP"]
tree <- prune(tree, cp = best)
cat("leaves", sum(tree$frame$var == "<leaf>"), "\n")
cat("score", mean(predict(tree, fresh, type = "class") == fresh[[target]]), "\n")
