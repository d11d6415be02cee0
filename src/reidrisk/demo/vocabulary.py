"""Names for synthetic people and places.

Names that are also English words, months, states or medical eponyms are left out on purpose:
a name must occur in a note only where the gold standard marks it. For the same reason, two states are
missing whose abbreviations also mean a physician and an identifier.
"""

from __future__ import annotations


def _words(block: str) -> tuple[str, ...]:
    """Split at white space; an underscore joins the parts of one value."""
    return tuple(word.replace("_", " ") for word in block.split())


WOMEN = _words("""
Margaret Dorothy Eleanor Beatrice Harriet Louise Martha Edith Vivian Lorraine Patricia Deborah Sharon
Kathleen Denise Yolanda Teresa Monica Veronica Bernadette Rosalind Constance Priscilla Gwendolyn Marjorie
Theresa Josephine Adelaide Cecilia Winifred Renée Hélène Geneviève Chloé Élodie Zoë Noémie Margaux Solange
Ingrid Astrid Birgit Sigrid Linnéa Åsa Maren Silje Annika Heidi Ursula Brünhilde Jördis Käthe Lieselotte
Guadalupe Concepción Inés Lucía Marisol Graciela Ximena Begoña Araceli Soledad Fernanda Beatriz Conceição
Giulia Francesca Ornella Antonella Magdalena Agnieszka Katarzyna Małgorzata Ludmila Svetlana Galina Oksana
Irina Natalia Zdeňka Milena Vesna Dragana Aylin Zeynep Gülsüm Nesrin Fatima Khadija Layla Amina Nadia Samira
Yasmin Leila Shirin Parisa Rivka Shoshana Miriam Tamar Priya Lakshmi Anjali Sunita Kavita Meera Deepa Radha
Mei-Ling Xiaoyan Hui-Min Yuki Haruko Keiko Michiko Sachiko Ji-Woo Soo-Jin Min-Seo Linh Thuy Phuong Ngozi
Adaeze Folasade Wanjiru Akosua Abena Nomvula Thandiwe Makeda Siobhán Aoife Niamh Catríona Bronwen Mairéad
""")
MEN = _words("""
Robert Harold Walter Leonard Raymond Eugene Gerald Kenneth Douglas Lawrence Bernard Clarence Stanley Norman
Herbert Theodore Vincent Franklin Rodney Terrence Reginald Desmond Malcolm Percival Alistair Nathaniel
Frédéric Étienne Thibault Benoît Rémi Jérôme Gaël Loïc Didier Sébastien Günther Jürgen Björn Søren Håkan
Lennart Torsten Matthias Wolfgang Dietmar Ansgar Rasmus Anders Mikkel Joaquín Ramón Iñigo Álvaro Ignacio
Rogelio Efraín Gilberto Arnulfo Hernán Mauricio Leandro João Tiago Gonçalo Giancarlo Lorenzo Raffaele
Domenico Salvatore Zbigniew Wojciech Kazimierz Tadeusz Bogdan Vladimir Dmitri Sergei Yevgeny Oleksandr
Tomáš Jiří Miloš Branko Goran Emre Mehmet Kemal Hüseyin Ahmed Tariq Yusuf Khalid Hassan Ibrahim Farhad
Bahram Dariush Avraham Moshe Yitzhak Rajesh Sanjay Vikram Arjun Suresh Harish Anil Prakash Wei-Chen Jianguo
Zhiqiang Kenji Hiroshi Takeshi Noboru Sung-Ho Dong-Hyun Minh Tuan Quang Chukwuemeka Olumide Babatunde
Kwabena Kofi Themba Sipho Tesfaye Dawit Fionn Padraig Ciarán Eoghan Gareth Rhodri Iain Hamish Seamus
""")
SURNAMES = _words("""
Doyle Whitaker Pemberton Hargrove Lockwood Ashworth Thackeray Winslow Prescott Bancroft Holloway Carmichael
Abernathy Beauchamp Caldwell Dunmore Ellsworth Fairchild Gallagher Hathaway Ingersoll Jamison Kirkpatrick
Langford Mulholland Northcutt Ogilvie Penhaligon Quigley Rutherford Satterfield Tillman Underhill Vandermeer
Wetherby Yarborough O'Neil O'Rourke O'Sullivan D'Angelo D'Souza MacGillivray McAllister McCreary Ní_Bhriain
Beaulieu Charbonneau Desrosiers Fontaine Gagné Lévesque Bélanger Côté Thériault Rousseau Dubois Lefèvre
Müller Schröder Köhler Hoffmann Schäfer Krüger Zimmermann Baumgärtner Weiß Obermeier Lindqvist Bergström
Öberg Åkesson Sjöberg Halvorsen Kristoffersen Rasmussen Sørensen Nygård van_den_Berg de_Vries
van_Houten ter_Horst García Núñez Ibáñez Peña Castañeda Villaseñor Echeverría Zúñiga Montoya Arredondo
Ramírez Gutiérrez Quiñones de_la_Cruz del_Río Santillán Figueroa Pacheco Magalhães Gonçalves Teixeira
Conceição-Reis Ferreira Bianchi Colombo Esposito Lombardi Pellegrini Ricciardi Taglietti Kowalczyk
Wiśniewski Dąbrowski Szymański Lewandowska Nowakowska Petrenko Kovalenko Shevchuk Volkov Sokolova Morozov
Novotný Dvořák Horváth Szabó Ionescu Popescu Marković Jovanović Yılmaz Demirci Özdemir Çelik Haddad
Khoury Mansour Nasser Abdallah El-Amin Farouk Rahimi Tehrani Shirazi Goldfarb Rosenblatt Abramowitz
Feldstein Patel Krishnamurthy Chatterjee Banerjee Venkataraman Srinivasan Deshpande Mukherjee Iyengar
Chowdhury Rahman-Khan Zhang Huang Zhou Ouyang Xu Takahashi Yamamoto Watanabe Kobayashi Nakamura Fujimoto
Ishikawa Hwang Kwon Yoon Seong Nguyễn Trần Phạm Đặng Huynh Santos-Dizon Macapagal Bautista Okafor
Adeyemi Nwosu Balogun Eze-Obi Mensah Boateng Asante Owusu Kamau Otieno Wanyama Mutua Dlamini Nkosi
Mthembu Khumalo Tadesse Gebremariam Haile Kahananui Kealoha Tsosie Begaye Yazzie Etsitty Tallchief
""")

_TOWN_HEADS = _words("Alder Birch Cedar Elk Fair Fern Glen Hazel King Lark Maple Oak Pine Raven Stone Thorn")
_TOWN_TAILS = _words("bridge brook bury dale field ford haven mont port wick")
TOWNS = tuple(head + tail for head in _TOWN_HEADS for tail in _TOWN_TAILS) + _words("""
Port_Callum New_Aldersey Fort_Brannock Eagle_Falls Saint_Orly Cold_Springs Rio_Blanco Las_Palomas
La_Cañada_Vieja Lac_Doré Twin_Forks Coyote_Wells
""")
STREETS = _words("""
Juniper Sycamore Magnolia Hickory Chestnut Dogwood Sandpiper Bluebird Quail_Hollow Old_Mill Orchard Foxglove
Larkspur Canterbury Wellington Cobblestone Ridgeline Tamarack Buckeye Cottonwood Mulberry Persimmon
""")
STREET_KINDS = _words("Street Avenue Road Lane Drive Court Boulevard Terrace")
_STATES = """
Alabama AL 36 Alaska AK 99 Arizona AZ 85 Arkansas AR 72 California CA 93 Colorado CO 80 Connecticut CT 06
Delaware DE 19 Florida FL 33 Illinois IL 61 Indiana IN 47 Iowa IA 51 Kansas KS 67 Kentucky KY
41 Louisiana LA 70 Maine ME 04 Massachusetts MA 01 Michigan MI 48 Minnesota MN 55
Mississippi MS 38 Missouri MO 64 Montana MT 59 Nebraska NE 68 Nevada NV 89 New_Hampshire NH 03 New_Jersey
NJ 07 New_Mexico NM 87 New_York NY 12 North_Carolina NC 28 North_Dakota ND 58 Ohio OH 44 Oklahoma OK 73
Oregon OR 97 Pennsylvania PA 17 Rhode_Island RI 02 South_Carolina SC 29 South_Dakota SD 57 Tennessee TN
38 Texas TX 78 Utah UT 84 Vermont VT 05 Virginia VA 24 Washington WA 98 West_Virginia WV 25 Wisconsin WI
54 Wyoming WY 82
"""
STATES = tuple(zip(*[iter(_words(_STATES))] * 3, strict=True))
"""Name, abbreviation and the first two digits of the ZIP codes."""
COUNTRIES = _words("""
Portugal Poland Ukraine Ireland Italy Greece Croatia Serbia Norway Mexico Guatemala Honduras Colombia Peru
Ecuador Brazil Argentina Haiti Jamaica Nigeria Ghana Kenya Ethiopia Egypt Morocco Lebanon Iran Pakistan
Bangladesh Nepal Vietnam Cambodia Philippines Malaysia Japan Taiwan
""")

ORGANIZATION_HEADS = _words("""
Harborlight Three_Rivers Summit_Ridge Northgate Meadowlark Bluestem Silverlake Beacon_Point Prairie_View
Cascadia Tidewater Ironwood Crescent_Bay Golden_Plains Highland_Park Redstone Whitewater Granite_Peak
""")
FACILITIES = _words(
    "Regional_Hospital Medical_Center Community_Hospital Memorial_Hospital University_Hospital"
)
AGENCIES = _words("Home_Health Senior_Services Home_Care Visiting_Nurses Community_Care Care_Partners")
PHARMACIES = _words("Pharmacy Drug_Store Apothecary")
EMPLOYERS = _words("Foundry Lumber_Company School_District Freight_Lines Paper_Mill Grocers")
