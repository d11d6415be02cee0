"""Ordinary sentences without identifiers, and the medical words and numbers that fill slots.

A line is `section kinds @group: sentence // alternative // alternative`: one topic, of which a note takes one
wording, so that nobody is a smoker in one sentence and never smoked in the next.
"""

TOPICS = """
reason s @open: {He} asked for advice about {need}. // The unit asks for support with {need}.
reason h @open: {complaint_cap}.
reason d @open: {complaint_cap}, with a diagnosis of {disease}.
history s @open: The patient is {a_man} in hospital with {disease}.
history s: {He} has a history of {background}. // Background: {background}.
history s: {He} was alert and gave clear answers. // {He} was tired but willing to talk.
history s: {He} finds the hospital noisy and sleeps poorly. // {He} says the stay has gone well.
history s: {His} main wish is to be home again. // {He} hopes to avoid a nursing facility.
history s: {He} fears being a burden. // {He} is worried about the cost of the stay.
history s: Hearing is reduced on one side. // Vision is good with glasses. // {He} hears and sees well.
history s: {He} knows why {he} is in hospital. // {He} has many questions about the illness.
history h @open: The patient is {a_man} with {background}.
history p @open: The patient is {a_man} treated for {disease}.
reason p @open: Admitted with {complaint}. // In hospital for {disease}; came in with {complaint}.
reason p: The stay has been without complications so far. // {He} is improving as expected.
history p: Pain is rated {pain} out of 10 at rest. // Pain is well controlled with oral medicine.
history p: {He} had a bowel movement this morning. // No nausea, no vomiting.
history p: No chest pain and no dyspnea at rest overnight. // Breathing is comfortable on room air.
history d @open: The patient is {a_man} with {background}.
review h: General: no weight loss, appetite fair. // General: tired for some weeks, no night sweats.
review h: Eyes and ears: no recent change. // Eyes: wears reading glasses. Ears: no change in hearing.
review h: Joints: mild morning stiffness. // Joints: no swelling.
review h: Mood: steady. // Mood: low at times, without thoughts of self-harm.
review h: All other systems were reviewed and are negative.
past h: {background_cap}. // Known for {background}.
past h: Appendectomy in childhood. // No earlier operations. // Cataract surgery on both eyes.
past h: No known drug allergies. // Penicillin causes a rash. // Sulfa drugs cause hives.
past h: No earlier transfusions. // No earlier problem with anesthesia.
social shd: {He} never smoked. // {He} stopped smoking many years ago. // {He} smokes half a pack a day.
social shd: {He} drinks no alcohol. // {He} has a glass of wine with dinner. // {He} drinks on holidays only.
social shpd: {He} uses a cane outdoors. // {He} walks without aids. // {He} uses a walker indoors.
social sp: The home has stairs and no grab bars. // The home is on one level. // The bedroom is upstairs.
social s: {He} can cook simple meals. // Meals are delivered on weekdays. // {He} eats irregularly.
social s: Income covers rent and food but little else. // {He} has savings and no debts.
social s: {He} no longer drives. // {He} drives short distances by day. // {He} relies on others for rides.
social s: Benefits are in place and are renewed every year. // An application for benefits is pending.
social s: There is no history of violence or neglect at home. // {He} feels safe at home.
social s: {He} takes the medicines from a weekly box. // {He} sometimes forgets the evening medicines.
social s: Faith and music are sources of strength. // {He} misses the company of old friends.
social hd: Family history includes hypertension and diabetes. // Family history is not contributory.
exam hpd: Temperature {temp} C, pulse {pulse}, blood pressure {bp}, respirations {resp}, saturation {sat}%.
exam hpd: {He} lies comfortably in bed. // {He} looks tired but comfortable.
exam hp: Heart: regular, no murmur. // Heart: regular with a soft systolic murmur at the apex.
exam hp: Abdomen: soft, no organomegaly. // Abdomen: soft, no masses.
exam h: Neurologic: awake, follows commands. // Neurologic: follows commands, no tremor.
exam hp: Skin: no pressure injury. // Skin: warm and dry.
exam p: Intake {intake} mL and output {output} mL over the last day.
exam p: Lines: one peripheral cannula, site clean. // Lines: peripheral cannula removed, site dry.
exam p: Weight {weight} kg. // Weight {weight} kg, unchanged from the day before.
exam d: Wounds and line sites are clean. // The skin is intact.
exam d: {He} walks {meters} meters in the corridor. // {He} climbs one flight of stairs.
data hpd: Sodium {na}, potassium {k}, creatinine {cr}, glucose {glucose}.
data hpd: White count {wbc}, hemoglobin {hgb}, platelets {plt}.
data h: Electrocardiogram: sinus rhythm at {pulse}, no acute ischemic change.
data hp: Chest film: no pneumothorax. // Chest film: heart size at the upper limit.
data s: Therapy recommends services at home and help on stairs. // Therapy recommends a short rehab stay.
data s: Chart, therapy notes and nursing notes of this stay.
course s: Supportive counselling was given. // Feelings about the illness were explored.
course s: Written information about services was left at the bedside. // Eligibility for care was checked.
course s: A short screen for depression gave {phq} points. // A screen for caregiver strain was negative.
course s: Ways of coping and sources of support were reviewed at length. // Worries were heard and sorted.
course s: The steps of leaving the hospital were gone through one by one. // A list of next steps was written.
course s: Rights and choice of provider were explained. // A list of providers was offered.
course d: Physical and occupational therapy found {him} safe for home. // Therapy advised short daily walks.
course d: Home medicines were reconciled. // Diet was advanced without trouble.
course d: Skin stayed intact and there were no falls. // {He} needed no restraints and had no falls.
assess s: Strengths: insight, motivation and a stable home. // Strengths: humor, faith and good judgment.
assess s: Barriers: limited strength and few helpers by day. // Barriers: cost of medicine, no transport.
assess s: Coping is adequate for the moment. // Adjustment to the illness is under way.
assess s: Capacity for this decision is present. // No safety concern was found.
assess hp: Nutrition is adequate. // Risk of falls is moderate. // Risk of pressure injury is low.
assess h @open: {disease_cap}.
assess p: No sign of infection at line sites. // No sign of bleeding. // Volume status is acceptable.
history p: {He} sat in the chair for meals and took all medicines. // {He} worked well with therapy.
assess p @open: {disease_cap}, clinically improving. // {disease_cap}, stable since yesterday.
plan s: Visit again within two days. // Stay available for further support.
plan s: Order a shower chair and raised toilet seat. // Arrange a walker before leaving.
plan s: Apply for transport assistance. // Apply for help with the cost of medicine.
plan s: Offer a caregiver support group. // Explore adult day care.
plan hp: Full code. // Code status: full, confirmed on admission.
plan hp: Early mobilization. // Out of bed for meals.
plan p: Repeat blood count and electrolytes in the morning. // Repeat electrolytes in the morning.
plan p: Review the need for each line and drug daily. // Remove the cannula when no longer needed.
plan d: Take the medicines as listed. // Take all medicines until told otherwise.
plan d: Weigh yourself every morning and keep a record. // Walk several times a day and rest in between.
plan p: Continue current diet. // Advance diet as tolerated.
plan p: Expect to leave in two to three days. // Continue physical therapy.
plan d: Return for fever, chest pain or worsening symptoms. // Call for fever, bleeding or new weakness.
plan d: Diet as advised by the dietitian. // Diet as before the admission.
plan d: Activity as tolerated. // No driving until seen in clinic.
sign shpd @signed: Signed electronically.
"""

NUMBERS: dict[str, tuple[float, float, int]] = {
    "kg": (3, 9, 1), "liters": (3, 8, 1), "ef": (25, 60, 0), "cr": (0.7, 1.9, 1), "cr_high": (2.6, 5.2, 1),
    "wbc": (5.1, 10.8, 1), "wbc_high": (12.4, 19.8, 1), "hgb": (8.4, 13.6, 1), "plt": (148, 390, 0),
    "glucose": (88, 176, 0), "glucose_high": (260, 390, 0), "a1c": (6.8, 11.2, 1), "k": (3.5, 4.9, 1),
    "na": (133, 144, 0), "lipase": (620, 2900, 0), "lactate": (2.6, 5.4, 1), "ml": (650, 1400, 0),
    "temp": (36.4, 37.6, 1), "pulse": (62, 98, 0), "resp": (14, 22, 0), "sat": (93, 99, 0),
    "systolic": (108, 156, 0), "diastolic": (58, 90, 0), "pain": (2, 5, 0), "phq": (3, 9, 0),
    "meters": (40, 160, 0), "intake": (1400, 2300, 0), "output": (1200, 2400, 0), "weight": (54, 102, 1),
    "mg": (1.6, 2.4, 1), "albumin": (2.9, 4.2, 1), "co2": (21, 28, 0),
    "bnp": (180, 1400, 0), "tsh": (0.6, 4.2, 1), "inr": (1.0, 2.8, 1),
}  # fmt: skip
"""Lowest value, highest value and decimals."""

LISTS: dict[str, tuple[str, ...]] = {
    "need": (
        "planning for home", "help with meals and bathing", "the cost of medicine",
        "transport to appointments", "coping with illness", "stress in the family",
        "a safe return home", "choosing a rehab unit",
    ),
    "finding": (
        "hemoglobin {hgb} g/dL", "creatinine {cr} mg/dL", "potassium {k} mmol/L", "white count {wbc}",
        "platelets {plt}", "glucose {glucose} mg/dL", "sodium {na} mmol/L", "hemoglobin A1c {a1c}%",
        "natriuretic peptide {bnp} pg/mL", "thyroid stimulating hormone {tsh} mIU/L", "INR {inr}",
        "troponin not raised", "magnesium {mg} mg/dL", "albumin {albumin} g/dL", "bicarbonate {co2} mmol/L",
    ),
    "earlier": (
        "echocardiogram with ejection fraction {ef}%", "stool test negative for blood",
        "creatinine {cr} mg/dL", "iron studies within normal limits",
        "bone density in the osteopenic range", "vitamin D level low",
        "carotid ultrasound without stenosis", "stress test without ischemia", "retinal photographs normal",
        "hemoglobin {hgb} g/dL", "hemoglobin A1c {a1c}%", "thyroid stimulating hormone {tsh} mIU/L",
        "potassium {k} mmol/L", "glucose {glucose} mg/dL", "hearing test with mild loss", "platelets {plt}",
    ),
    "study": (
        "Urine culture", "Blood culture", "Head computed tomography", "Chest film", "Abdominal ultrasound",
        "Venous duplex", "Echocardiogram", "Biopsy", "Sputum culture", "Wound culture",
        "Pelvic film", "Type and screen",
    ),
    "reading": (
        "final report in chart", "report pending", "report reviewed", "preliminary report received",
        "report called to the team", "report discussed on rounds",
    ),
    "record": (
        "Emergency department record", "Physical therapy evaluation", "Home safety checklist", "Consent form",
        "Benefits application", "Nursing admission screen", "Advance directive form", "Equipment order",
        "Occupational therapy report", "Insurance authorization", "Psychology screen", "Care plan",
        "Caregiver questionnaire", "Medication list", "Nutrition assessment", "Transport request",
        "Guardianship inquiry", "Letter from the housing office", "Dental record", "Home oxygen order",
    ),
    "outside": (
        "earlier summary requested", "imaging on disc received", "medication list received",
        "laboratory results in chart", "operative note received", "discharge papers scanned",
    ),
    "topic": (
        "low-salt diet", "use of the call bell", "skin care", "fall prevention", "signs of bleeding",
        "blood pressure checks", "daily weights", "pain medicine schedule", "pacing of activity",
        "when to call for help",
        "safe transfers", "sleep hygiene", "fluid intake", "use of the walker",
    ),
    "issue": (
        "blood pressure", "anemia", "renal function", "pain control", "nutrition", "sleep", "constipation",
        "hydration", "electrolytes", "mobility", "skin integrity", "goals of care",
        "balance",
    ),
    "task": (
        "equipment order", "home oxygen assessment", "transport home", "insurance authorization",
        "therapy evaluation", "meal service", "medication delivery", "personal care hours",
        "caregiver support", "application for benefits", "home safety visit", "nursing supplies",
    ),
    "appointment": (
        "blood test", "weight check", "clinic visit", "echocardiogram", "therapy intake", "eye examination",
        "nurse visit", "hearing test", "repeat film", "dietitian visit", "dental visit", "device check",
    ),
}  # fmt: skip
"""Words for slots, none used twice in a note while there are others."""
