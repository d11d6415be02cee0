"""What happens to participants: adverse events during the study, illnesses before it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trouble:
    """A kind of event: as sites write it, as the dictionary has it, and how serious it tends to be."""

    verbatim: tuple[str, ...]
    term: str
    system: str
    serious: float = 0.0


TROUBLES = (
    Trouble(("Nausea", "Feeling sick"), "Nausea", "Gastrointestinal disorders"),
    Trouble(("Loose stools", "Diarrhoea"), "Diarrhoea", "Gastrointestinal disorders"),
    Trouble(("Headache", "Pressing headache"), "Headache", "Nervous system disorders"),
    Trouble(("Light-headedness", "Dizzy spells"), "Dizziness", "Nervous system disorders"),
    Trouble(("Common cold", "Head cold"), "Nasopharyngitis", "Infections and infestations"),
    Trouble(("Back ache", "Lower back pain"), "Back pain", "Musculoskeletal disorders"),
    Trouble(("Itchy rash", "Skin rash"), "Rash", "Skin and subcutaneous tissue disorders"),
    Trouble(("Elevated ALT", "ALT increase"), "Alanine aminotransferase increased", "Investigations"),
    Trouble(("Low blood sugar",), "Hypoglycaemia", "Metabolism and nutrition disorders", 0.15),
    Trouble(
        ("Lung infection", "Right lower lobe pneumonia"), "Pneumonia", "Infections and infestations", 0.7
    ),
    Trouble(("Heart attack", "Acute STEMI"), "Myocardial infarction", "Cardiac disorders", 1.0),
    Trouble(("Worsening heart failure",), "Cardiac failure", "Cardiac disorders", 0.9),
    Trouble(("Gallstone attack",), "Cholelithiasis", "Hepatobiliary disorders", 0.6),
    Trouble(("Fracture of left hip", "Broken hip"), "Hip fracture", "Injury and poisoning", 1.0),
    Trouble(("Bleeding ulcer",), "Gastric ulcer haemorrhage", "Gastrointestinal disorders", 1.0),
    Trouble(("Clot in the leg", "DVT left calf"), "Deep vein thrombosis", "Vascular disorders", 0.8),
)
FATAL = ("Myocardial infarction", "Cardiac failure", "Pneumonia")
"""What people die of in this study."""
ILLNESSES = (
    ("High blood pressure", "Hypertension", "Vascular disorders"),
    ("Type 2 diabetes", "Type 2 diabetes mellitus", "Metabolism and nutrition disorders"),
    ("Raised cholesterol", "Hypercholesterolaemia", "Metabolism and nutrition disorders"),
    ("Removal of appendix", "Appendicectomy", "Surgical and medical procedures"),
    ("Knee arthrosis", "Osteoarthritis", "Musculoskeletal disorders"),
    ("Underactive thyroid", "Hypothyroidism", "Endocrine disorders"),
    ("Migraine with aura", "Migraine with aura", "Nervous system disorders"),
    ("Heart bypass", "Coronary artery bypass", "Surgical and medical procedures"),
    ("Sarcoidosis of the lung", "Pulmonary sarcoidosis", "Respiratory disorders"),
)
