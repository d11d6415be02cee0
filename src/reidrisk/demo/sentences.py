"""Sentences with slots for identifiers.

A line is `section kinds: sentence`. Kinds are s(ocial work), h(istory and physical), p(rogress) and
d(ischarge). A star after the kinds means that the sentence may be used again, since its medical slots
change. Of the sentences with one @group a note takes one; those of @open come first in their section.
A slot `{part}` or `{part:form}` is an identifier; `{part.fact}` and plain words such as `{he}` are not.
"""

HEADER = """
letterhead shpd: {facility}
header shpd: Patient: {patient:listed}
header shpd: MRN: {mrn}
header shpd: Date of birth: {dob:us}
header shpd: Account number: {account}
header shpd: Encounter: {encounter}
header shpd: Member ID: {member}
header sp: Date of service: {visit}
header hd: Date of admission: {visit}
header d: Date of discharge: {leave}
header shpd @address: Address: {street}, {city}, {state:abbr} {zip}
header shpd @address: Address: {street}, {city}, {state:abbr}
header shpd @address: Address: {street}, {city} {zip}
header shpd @address: Address: {street}, {city}
header shpd @address: Address: {street}
header shpd @address: Residence: {city}, {state:abbr} {zip}
header shpd @address: Residence: {city}, {state:abbr}
header shpd @address: Residence: {city}
header shpd @zip: ZIP code on file: {zip}
header shpd @tel: Telephone: {homephone}
header hpd: Attending: {attending}, MD
header s: Social worker: {worker}, LCSW
header shd: Primary care: {pcp}, MD
header shpd: Next of kin: {kin} ({kin.relation})
sign hp @signed: Electronically signed by {attending}, MD, {visit}
sign d @signed: Electronically signed by {attending}, MD, {leave}
sign hpd @signed: Electronically signed by {attending}, MD
sign s @signed: Electronically signed by {worker}, LCSW, {visit}
sign s @signed: Electronically signed by {worker}, LCSW
sign shp @dictated: Dictated and transcribed {visit}
sign d @dictated: Dictated and transcribed {leave}
sign shd: cc: {pcp}, MD
sign hp: Verified by {nurse}, RN
sign shpd: Document {docid}
sign shpd: Questions about this note: {unitphone}
sign shpd: Fax for outside records: {fax}
sign shpd: End of note, MRN {mrn}
"""

STORY = """
reason s @open: {Mr} {patient:last} was referred by Dr. {attending:last} about {need}.
reason s @open: {patient}, {a_man} with {disease}, was referred about {need}.
reason s: The referral was received on {visit} from {nurse}, RN.
reason s: {His} {kin.relation} {kin} had asked the unit for a social work visit.
reason h @open: {Mr} {patient:last} comes in with {complaint}.
reason h @open: {complaint_cap}, as told by {his} {kin.relation} {kin:first}.
reason d @open: {patient} was admitted on {visit} with {complaint}.
reason d @open: {Mr} {patient:last} was admitted with {complaint}.
reason p @open: {Mr} {patient:last} was admitted with {complaint}.
reason d: The admission was accepted by Dr. {attending:last}.
history shpd @open: This {age}-year-old {man} has {background}.
history s @open: {Mr} {patient:last} is {a_man} in hospital with {disease}.
history s @open: {patient} is {age} years old and in hospital with {disease}.
history s: {patient:first} was pleasant and took an active part in the conversation.
history s: {His} {kin.relation}, {kin}, joined for part of the interview.
history s: {kin:first} worries that {he} will not manage at home.
history s: The interview on {visit} lasted about an hour.
history s: Since a fall on {past}, {he} has been afraid of the stairs.
history s: {Mr} {patient:last} was last known to our department on {past}.
history h @open: {patient} is a {age}-year-old {man} with {background} who presents with {complaint}.
history h @open: {Mr} {patient:last} is {a_man} with {background} who presents with {complaint}.
history h @open: {patient} is {a_man} with {background}, admitted on {visit} with {complaint}.
history h: {He} was seen in the emergency department on {visit} by Dr. {attending:last}.
history h: Part of the history comes from {his} {kin.relation} {kin}.
history h: {kin:first} confirms that {he} took the medicines as prescribed.
history h: {He} had called the office of Dr. {pcp:last} two days earlier.
history h: Dr. {pcp:last} had last seen {him} on {past}.
history h: {Mr} {patient:last} had been in {his} usual health until then.
history h: {patient:first} walked with a cane before this illness.
history h: {He} came to {facility} by ambulance.
history p @open: {Mr} {patient:last} is {a_man} being treated for {disease}.
history p @open: {patient}, {a_man} with {background}, is seen on rounds for {disease}.
history p @open: {patient}, {age}, is seen on rounds for {disease}.
history p: {nurse}, RN, reports a quiet night.
history p: {patient:first} slept well and ate most of {his} breakfast.
history p: {Mr} {patient:last} walked in the corridor with assistance.
history p: Seen together with Dr. {consultant:last} of {consultant.trade}.
history p: {His} {kin.relation} {kin} was at the bedside.
history p: Medicines on admission were confirmed with {pharmacy}.
history d @open: {Mr} {patient:last} is {a_man} with {background}.
history d @open: {patient} is a {age}-year-old {man} with {background}.
history d: {He} had been seen by Dr. {pcp:last} on {past} for a routine visit.
history d: {His} {kin.relation} {kin:first} brought {him} to the emergency department.
history d: {He} came to {facility} by ambulance on {visit}.
past h: {He} was in hospital on {past} for an unrelated illness.
past h: {He} has been treated at {facility:short} before.
past h: {He} is followed by Dr. {consultant:last} ({consultant.trade}).
past h: Colonoscopy on {past} was unremarkable.
past h: Vaccinations were brought up to date by Dr. {pcp:last} on {past}.
past h: Records were requested from Dr. {pcp:last}.
social shd: {He} lives in {city}, {state}, in a house with three steps at the entrance.
social shpd @lives: {He} has lived in {city} for many years.
social shpd @lives: {He} lives in {city} with {his} {kin.relation} {kin:first}.
social shpd @moved: {He} moved here from {othercity} after retirement.
social shpd @moved: {He} grew up in {othercity}.
social shpd @raised: {He} was raised in {otherstate}.
social shpd: {He} would like to return to {city} as soon as possible.
social shpd: Neighbors in {city} look after the house.
social shpd: Transport back to {city} can be arranged.
social shpd: A volunteer group in {city} helps with shopping.
social shpd @insured: {He} is insured through the state program of {state}.
social shpd: {His} driving license was issued in {state}.
social shpd: {He} has no advance directive on file in {state}.
social shpd: Applications for benefits were made in {state}.
social shpd @zip2: Home services cover the {zip} area.
social shpd @zip3: The nearest infusion center is also in {zip}.
social shpd @street2: The apartment at {street} is on the ground floor.
social shpd @street3: Mail still goes to {otherstreet}.
social shpd: {He} was born in {country} and came here as a young adult.
social shpd: Several relatives remain in {country}.
social shpd: At {age}, {he} still does most things without help.
social shpd: {His} father had a heart attack at {onset}.
social shpd: {patient:first} used to work for {employer}.
social shpd: {He} keeps {his} health plan through {employer:short}.
social shpd: Former colleagues from {employer:short} visit often.
social shpd: {He} enjoys gardening and time with {his} {kin.relation} {kin:first}.
social shpd: {kin} ({kin.relation}) is the health care proxy.
social s: {kin.Mr} {kin:last} has health problems too and can help on some days only.
social s: {Mr} {patient:last} manages {his} own money and pays the bills on time.
social s: {patient:first} describes {his} mood as low but denies thoughts of self-harm.
social shd: Before admission {agency} came twice a week.
exam h: {Mr} {patient:last} was examined with {nurse}, RN, present.
exam p: Findings agree with those of Dr. {consultant:last}.
exam d: On {leave} {he} was afebrile and walking with a frame.
exam d: {patient:first} felt well and was eager to go home.
"""

ACTIONS = """
data hpd*: {visit}: {finding}.
data hpd*: {past}: {earlier}.
data hpd*: {study}, accession {accession}: {reading}.
data s*: {record}, dated {visit}.
data s*: {record}, dated {past}.
data s*: {record}, reference {accession}.
data hpd: Earlier films of {past} from {facility:short} were reviewed.
data shpd*: {facility}: {outside}.
course s: Met with {patient:first} and {his} {kin.relation} {kin:first} to set goals.
course s: The options were explained to {Mr} {patient:last}, who wishes to go home with services.
course s: Options were presented to {patient} and questions answered.
course s: The case was discussed with Dr. {attending:last} at the interdisciplinary meeting.
course s: {nurse}, RN, attended the family meeting on {visit}.
course s: A referral to {agency} was sent.
course s: {worker} spoke with Dr. {pcp:last} about services already in place.
course s: {worker} helped {him} fill in the benefits forms.
course d: {Mr} {patient:last} was seen by Dr. {consultant:last} of {consultant.trade}.
course d: Dr. {consultant:last} agreed with the treatment.
course d: Dr. {attending:last} discussed the course with {his} {kin.relation} {kin:first}.
course d: By {leave} {he} was stable on oral medicines.
course d: A family meeting took place on {visit} with {kin}.
course d: {patient:first} worked with physical therapy every day.
course d: {worker}, LCSW, arranged the services at home.
course d: {Mr} {patient:last} tolerated the treatment without side effects.
assess h @open: {Mr} {patient:last} is {a_man} with {disease}.
assess p @open: {patient:first} is making steady progress.
assess p @open: {disease_cap}, improving. Discussed with Dr. {attending:last}.
assess s @open: {Mr} {patient:last} is at moderate risk of readmission because of little support by day.
assess s: {kin:first} is a reliable support.
assess s: The team of Dr. {attending:last} considers {him} able to decide for {himself}.
assess h: Discussed with Dr. {attending:last}, who agrees with the assessment.
assess hp: Dr. {consultant:last} ({consultant.trade}) was asked for an opinion.
assess hp: {patient} understands the diagnosis and agrees with the plan.
assess p: The situation was explained to {Mr} {patient:last} and {kin:first} ({kin.relation}).
plan s: Dr. {attending:last} has been informed.
plan hpd: Discuss the next steps on rounds with Dr. {attending:last}.
plan hpd: Dr. {consultant:last} ({consultant.trade}) will follow.
plan hpd: Await the advice of Dr. {consultant:last}.
plan shd: Follow-up with Dr. {pcp:last} on {future}.
plan shd: Send a copy to Dr. {pcp:last}.
plan shpd: Return visit on {future}.
plan shpd: Prescriptions go to {pharmacy}.
plan shpd: Pill organizer to be filled weekly by {pharmacy:short}.
plan shpd: Referral to {agency} for nursing and therapy at home.
plan shp: Case review on {future}.
plan shpd: {kin:first} will bring clothes and hearing aids.
plan shpd: Call {kin} ({kin.relation}) with any change.
plan spd: {worker}, LCSW, to continue planning for home.
plan spd: {worker:last} to complete the application for equipment.
plan p: {nurse}, RN, to review the medicines at the bedside.
plan d: {patient:first} was given written instructions on {leave}.
plan d: Discharge papers of {leave} were reviewed and signed.
plan shpd: Identity checked by name and MRN {mrn}.
plan shpd: Labels reprinted for MRN {mrn}.
plan shpd*: {topic_cap} explained to {Mr} {patient:last}.
plan shpd*: {issue_cap}: discussed with Dr. {attending:last}.
plan hpd*: {issue_cap}: per Dr. {consultant:last} ({consultant.trade}).
plan shp*: {topic_cap} to be reinforced by nurse {nurse:last}.
plan shpd*: {topic_cap} gone over with {kin:first} ({kin.relation}).
plan spd*: {task_cap}: {worker:last} to arrange.
plan shd*: {issue_cap}: Dr. {pcp:last} to follow in clinic.
plan shpd*: {appointment_cap} on {future}.
plan d*: {task_cap} done before leaving on {leave}.
plan shpd*: {task_cap}: {agency}.
contact shpd: Nursing station: {unitphone}
contact shpd: {kin} ({kin.relation}): {kinphone}
contact shpd: Family: {kinphone}
contact shpd: Family, preferred number: {kinphone}
contact shpd: Patient at home: {homephone}
contact shpd: Message left at {homephone}.
contact shpd: Clinic appointments: {clinicphone}
contact shpd: To change an appointment: {clinicphone}
contact shpd: Pharmacy: {pharmacyphone}
contact shpd: Refill line: {pharmacyphone}
contact shpd: Unit, direct line: {unitphone}
contact shpd: Records by fax: {fax}
"""
