/* Call the command line program reidrisk from SAS, and read its result as data sets.

   SAS must be allowed to run commands of the system (option XCMD). Nothing is computed in SAS, and nothing
   leaves the machine. See docs/guides/r-and-sas.md.

     %reidrisk(table risk "adsl.xpt" --quasi "SEX,AGE" --cell-size 11)
     %put Acceptable: &reidrisk_acceptable;

   Afterwards:
     &reidrisk_code        0 acceptable, 3 risk above the threshold, 1 failure, 2 wrong usage
     &reidrisk_acceptable  YES, NO, or empty after a failure
     libref RRISK          the result, one data set per object: RRISK.ROOT, RRISK.PROSECUTOR, ...
   A risk above the threshold is a result, not an error. A failure writes its message to the log as an ERROR. */

%global reidrisk_program reidrisk_code reidrisk_acceptable;

%macro reidrisk(words) / minoperator;
  %local work json said program;
  %let program = %sysfunc(coalescec(%superq(reidrisk_program), reidrisk));
  %let work = %sysfunc(pathname(work));
  %let json = &work/reidrisk.json;
  %let said = &work/reidrisk.log;
  %let reidrisk_acceptable = ;
  %if %sysfunc(fileexist(&json)) %then %do;
    libname rrisk clear;
    data _null_;
      length gone 8;
      gone = filename('rrgone', "&json");
      gone = fdelete('rrgone');
    run;
  %end;

  options noxwait xsync;
  data _null_;
    length line $ 32767;
    line = catx(' ', quote("&program"), symget('words'), '--quiet --json', quote("&json"), '2>', quote("&said"));
    if "&sysscp" = 'WIN' then line = cats('"', line, '"');
    call symputx('reidrisk_code', system(line));
  run;
  /* Some systems give the code in the upper byte. */
  %if &reidrisk_code > 255 %then %let reidrisk_code = %eval(&reidrisk_code / 256);

  data _null_;
    infile "&said" truncover end=last;
    input text $char1000.;
    if text ne ' ' then do;
      if symgetn('reidrisk_code') in (1 2) then put 'ERROR: ' text;
      else put 'NOTE: ' text;
    end;
  run;

  %if &reidrisk_code in 0 3 %then %do;
    libname rrisk json "&json";
    %let reidrisk_acceptable = %sysfunc(ifc(&reidrisk_code = 0, YES, NO));
  %end;
%mend reidrisk;

/* Write a data set as a transport file that reidrisk reads: version 5 where names and texts allow it. Labels,
   formats and lengths of variables are kept, also in the table that reidrisk writes.

     %to_transport(data=work.adsl, file=adsl.xpt) */
%macro to_transport(data=, file=);
  %loc2xpt(libref=%scan(work.&data, -2, .), memlist=%scan(&data, -1, .), filespec="&file", format=auto)
%mend to_transport;

/* Read a transport file that reidrisk wrote.

     %from_transport(file=released.xpt, library=work) */
%macro from_transport(file=, library=work);
  %xpt2loc(libref=&library, filespec="&file")
%mend from_transport;
