"""Words of medicine and of forms that are written with a capital but name nobody."""

from __future__ import annotations

EPONYMS = """
addison alport alzheimer alzheimers apgar asperger asperger's babinski baker's barrett barretts barthel bartholin basedow
beck becker bechterew behcet behçet bell's berger binswanger bipap bowen brudzinski brugada buerger burkitt bouchard braden
castleman chagas charcot charcot-marie-tooth chiari child-pugh cheyne-stokes chvostek colles conn coombs cox creutzfeldt-jakob
creutzfeldt crohn crohns crohn's cushing cushings darier dercum doppler down's down dupuytren duchenne dukes ebstein
ehlers-danlos ehlers danlos eisenmenger epstein-barr ewing fabry fallot fanconi foley fontan fournier framingham friedreich
frankel gardner gaucher gehrig ghon gilbert gilbert's gleason glasgow goodpasture gottron gram grave's graves graves' guillain-barré
guillain-barre guillain barre barré hashimoto hashimotos hashimoto's heberden heimlich henoch heinz hickman hirschsprung hodgkin hodgkins hodgkin's
holter homan homans horner huntington huntingtons huntington's hurler ishihara janeway kaposi karnofsky kartagener kawasaki kegel kernig killip
klinefelter koplik korsakoff kussmaul lachman lambert-eaton legg-calve-perthes lewy likert lisfranc lou lyme lynch marfan mallory-weiss
mcburney mcmurray meckel meniere menieres ménière meniere's merkel montgomery-asberg morton munchausen murphy's myers-briggs noonan
nissen osgood-schlatter osler paget pap papanicolaou parkinson parkinsons parkinson's perthes peyronie phalen pick pott prader-willi
purkinje quincke raynaud raynauds reed-sternberg reiter rett rh romberg rorschach roth roux-en-y rovsing sanger schwann sengstaken
sezary sheehan simpson sjogren sjögren sjogrens snellen spurling stargardt stevens-johnson still's sturge-weber sweet's swan-ganz
takayasu takotsubo tanner tay-sachs tinel tourette tourettes trendelenburg treponema trousseau turner virchow von
waldenstrom wegener wells wernicke whipple wilms wilson's wolff-parkinson-white zenker zollinger-ellison ziehl
allen-brown mini-mental moca phq lachmann bishop ramsay-hunt ramsay rotterdam vancouver amsterdam boston-bowel norwalk ebola zika lassa marburg
marjolin sister-mary-joseph stensen wharton langerhans leydig sertoli eustachian fallopian achilles douglas adam's
"""
HEADINGS = """
patient patients pt name dob date admission admitted discharge diagnosis diagnoses history physical exam examination assessment plan impression
medications medication allergies allergy labs lab laboratory imaging vitals vital signs hospital course chief complaint present illness past
medical surgical family social review systems subjective objective note notes progress report summary consult consultation procedure procedures
operative findings follow up followup instructions recommendation recommendations reason visit referral attending physician resident nurse doctor
service department unit room ward bed phone fax email address street city state zip age sex gender male female race ethnicity insurance
mrn ssn id account number record re cc dear sincerely regards signed dictated transcribed electronically page title subject from to
question query please what how when where why who which is are can could should would does do did has have had will may might provide
compare discuss describe explain list outline identify summarize evaluate evaluation find search review recent latest best current guidelines
guideline treatment therapy management protocol protocols clinical evidence trial trials study studies research case mr mrs ms dr prof miss sir madam
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun spring summer autumn winter christmas
thanksgiving easter english spanish french german italian portuguese russian chinese mandarin cantonese japanese korean arabic hindi urdu polish
vietnamese tagalog american americans african asian caucasian hispanic latino latina latinx european white black native indian alaska hawaiian islander
jewish muslim christian catholic baptist methodist buddhist hindu ashkenazi mexican canadian british irish scottish cuban haitian filipino puerto
i ii iii iv v vi vii viii ix x type stage grade class level phase group version part section table figure appendix chapter number no
medicare medicaid fda cdc who nih cms hipaa nice nccn aha acc ada asco esmo uspstf nyha aap acog idsa eular acr kdigo easl dsm icd cpt
internet google wikipedia pubmed uptodate cochrane medline embase microsoft excel word zoom skype facebook instagram twitter epic cerner
covid sars influenza hiv aids hepatitis hcv hbv tb mrsa copd chf cad cabg pci nstemi stemi mi cva tia dvt pe afib ckd esrd gerd ibs ibd uti
uri dm htn hld osa ra sle ms als ptsd adhd ocd gad mdd bph nsaid nsaids ssri ssris snri ace arb cbc bmp cmp lft lfts tsh psa hba1c bmi bp hr
rr spo2 ekg ecg eeg emg ct cta mri mra pet xray us tte tee echo iv im po prn bid tid qid qhs qd icu micu sicu ccu picu nicu ed er or pacu pcp np pa rn
md do phd lpn cna pt ot slp rd pharmd msw lcsw dnr dni hpi pmh psh fh sh ros cc a&o perrla heent cv gi gu msk neuro psych derm ent ob gyn obgyn
aspirin tylenol advil motrin aleve lipitor crestor zocor plavix eliquis xarelto coumadin warfarin heparin lovenox lasix metformin glucophage insulin
lantus humalog novolog ozempic wegovy trulicity jardiance farxiga januvia victoza synthroid levothyroxine norvasc lisinopril zestril cozaar diovan
lopressor toprol coreg digoxin amiodarone prednisone medrol humira enbrel remicade methotrexate plaquenil keytruda opdivo herceptin avastin rituxan
tamoxifen arimidex zoloft prozac lexapro celexa paxil wellbutrin effexor cymbalta abilify seroquel zyprexa risperdal lithium depakote lamictal
keppra dilantin tegretol neurontin gabapentin lyrica ativan xanax klonopin valium ambien ritalin adderall percocet vicodin oxycontin oxycodone
morphine dilaudid fentanyl suboxone methadone narcan nexium prilosec protonix pepcid zantac zofran reglan colace miralax senna albuterol advair
symbicort spiriva singulair flonase claritin zyrtec benadryl augmentin amoxicillin zithromax azithromycin cipro levaquin bactrim keflex rocephin
vancomycin zosyn flagyl doxycycline acyclovir valtrex tamiflu paxlovid remdesivir botox viagra cialis proscar flomax fosamax prolia epogen neupogen
pfizer moderna biontech astrazeneca novavax shingrix gardasil prevnar pneumovax mmr tdap medtronic abbott
h&p cdk brca her2 egfr kras tnf il jak parp pd-l1 vegf
"""
CLINICAL = frozenset((EPONYMS + HEADINGS).split())
CLINICAL_ENDINGS = (
    "itis",
    "osis",
    "emia",
    "aemia",
    "ectomy",
    "otomy",
    "ostomy",
    "plasty",
    "scopy",
    "graphy",
    "gram",
    "pathy",
    "algia",
    "uria",
    "pril",
    "sartan",
    "olol",
    "statin",
    "mab",
    "nib",
    "cillin",
    "mycin",
    "micin",
    "azole",
    "prazole",
    "floxacin",
    "vir",
    "zepam",
    "zolam",
    "dipine",
    "gliptin",
    "gliflozin",
    "glutide",
    "parin",
    "xaban",
    "tidine",
    "setron",
    "triptan",
    "caine",
    "thiazide",
    "semide",
    "sone",
    "solone",
    "onide",
    "terol",
    "tropium",
    "lukast",
    "cycline",
    "oxetine",
    "pramine",
    "triptyline",
    "apine",
    "idone",
    "bicin",
    "platin",
    "taxel",
    "rubicin",
    "tinib",
    "ciclib",
    "zumab",
    "ximab",
    "lizumab",
    "coccus",
    "bacter",
    "virus",
    "ology",
    "ologist",
    "iatric",
    "iatrics",
    "emic",
    "otic",
    "oma",
    "omas",
    "therapy",
    "ular",
    "ation",
    "ments",
    "ment",
)
WITH_EPONYM = (
    "disease",
    "syndrome",
    "sign",
    "score",
    "scale",
    "test",
    "criteria",
    "index",
    "classification",
    "palsy",
    "lymphoma",
    "sarcoma",
    "tumor",
    "tumour",
    "thyroiditis",
    "esophagus",
    "contracture",
    "phenomenon",
    "catheter",
    "dementia",
    "body",
    "bodies",
    "stain",
    "procedure",
    "maneuver",
    "manoeuvre",
    "reflex",
    "node",
    "nodes",
    "fracture",
    "gangrene",
    "ulcer",
    "cyst",
    "law",
    "method",
    "virus",
    "questionnaire",
    "inventory",
    "rating",
    "monitor",
    "chorea",
    "ataxia",
    "anemia",
    "purpura",
    "encephalopathy",
    "dystrophy",
    "aphasia",
    "effect",
    "reaction",
    "stage",
    "staging",
    "grade",
    "grading",
    "rule",
    "tube",
    "pouch",
    "shunt",
    "coma",
    "triad",
    "deformity",
    "neuroma",
    "nephropathy",
    "hernia",
    "risk",
    "equation",
    "formula",
)
