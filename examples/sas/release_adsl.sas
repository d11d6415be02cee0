/* An example: measure a subject-level table, de-identify it, and stop the program if it may not be released. */

%include "reidrisk.sas";
/* %let reidrisk_program = /opt/reidrisk/bin/reidrisk;   if it is not on the search path */

%to_transport(data=work.adsl, file=adsl.xpt)

/* 1. What is the risk as it is? */
%reidrisk(table risk "adsl.xpt" --quasi "SEX,AGE,RACE,COUNTRY" --direct "USUBJID" --cell-size 11)
proc print data=rrisk.prosecutor noobs; run;

/* 2. De-identify. The released table has the labels, formats and lengths of the source. */
%reidrisk(table deidentify "adsl.xpt" --quasi "SEX,AGE,RACE,COUNTRY" --direct "USUBJID" --cell-size 11
          --hierarchies "hierarchies.yaml" --out "released.xpt")

/* 3. May it be released? */
%macro decide;
  %if &reidrisk_acceptable = YES %then %do;
    %from_transport(file=released.xpt)
    %put NOTE: The table may be released.;
  %end;
  %else %do;
    %put ERROR: The table may not be released (exit code &reidrisk_code).;
    %abort cancel;
  %end;
%mend decide;
%decide
