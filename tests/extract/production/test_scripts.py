"""Groups of pages in other languages and scripts: the article is found, navigation is not."""

from __future__ import annotations

import pytest

from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage

# Of each language: what navigation says, and sentences of articles.
SITES = {
    "zh": (
        ["首页", "体育新闻", "联系我们", "版权所有,未经许可不得转载。"],
        [
            "经过九年的停航,连接两座岛屿的夜间渡轮本周五将从旧港口重新起航。",
            "船长说,票价比飞机便宜,时刻表与末班火车衔接,狗可以免费乘船。",
            "渔民担心失去停泊的地方,市议会答应在秋天以前修建新的码头。",
            "这条航线能否盈利,取决于旅馆,而今年旅馆比以往任何时候都更早开门。",
        ],
    ),
    "ja": (
        ["ホーム", "スポーツ", "お問い合わせ", "無断転載を禁じます。"],
        [
            "九年ぶりに、二つの島を結ぶ夜のフェリーが金曜日に古い港から出航する。",
            "船長によると、運賃は飛行機より安く、最終列車に合わせて船が出るという。",
            "漁師たちは係留場所を失うことを心配しており、町は秋までに新しい桟橋を造ると約束した。",
            "この航路が黒字になるかどうかは、例年より早く開いたホテルにかかっている。",
        ],
    ),
    "ko": (
        ["처음으로", "스포츠", "문의하기", "무단 전재를 금합니다."],
        [
            "아홉 해 만에 두 섬을 잇는 야간 여객선이 금요일 옛 항구에서 다시 떠난다.",
            "선장은 요금이 비행기보다 싸고 시간표가 마지막 열차에 맞추어져 있다고 말했다.",
            "어부들은 배를 댈 곳을 잃을까 걱정하고, 시의회는 가을까지 새 부두를 짓겠다고 약속했다.",
            "이 항로가 이익을 낼지는 어느 해보다 일찍 문을 연 호텔들에 달려 있다.",
        ],
    ),
    "th": (
        ["หน้าแรก", "กีฬา", "ติดต่อเรา", "สงวนลิขสิทธิ์"],
        [
            "หลังจากเก้าปี เรือข้ามฟากกลางคืนระหว่างสองเกาะจะออกจากท่าเรือเก่าอีกครั้งในวันศุกร์นี้",
            "กัปตันบอกว่าค่าโดยสารถูกกว่าเครื่องบิน และตารางเวลาตรงกับรถไฟเที่ยวสุดท้าย",
            "ชาวประมงกลัวว่าจะเสียที่จอดเรือ สภาเมืองจึงสัญญาว่าจะสร้างท่าใหม่ก่อนฤดูหนาว",
            "เส้นทางนี้จะมีกำไรหรือไม่ขึ้นอยู่กับโรงแรมที่เปิดเร็วกว่าทุกปีที่ผ่านมา",
        ],
    ),
    "ar": (
        ["الرئيسية", "الرياضة", "اتصل بنا", "جميع الحقوق محفوظة."],
        [
            "بعد تسع سنوات تبحر العبارة الليلية بين الجزيرتين من الميناء القديم مرة أخرى يوم الجمعة.",
            "يقول القبطان إن التذاكر أرخص من الطائرة، وإن الجدول يتبع آخر قطار في المساء.",
            "يخشى الصيادون على مراسيهم، وقد وعد المجلس ببناء رصيف جديد خلف المنارة قبل الخريف.",
            "أما ربح هذا الخط فيتوقف على الفنادق التي فتحت أبوابها هذا العام أبكر من أي وقت مضى.",
        ],
    ),
    "he": (
        ["דף הבית", "ספורט", "צור קשר", "כל הזכויות שמורות."],
        [
            "אחרי תשע שנים תפליג שוב מעבורת הלילה בין שני האיים מהנמל הישן ביום שישי הקרוב.",
            "הקברניט אומר שהכרטיסים זולים מן הטיסה, ושלוח הזמנים מותאם לרכבת האחרונה של הערב.",
            "הדייגים חוששים למקומות העגינה שלהם, והמועצה הבטיחה רציף חדש מאחורי המגדלור לפני הסתיו.",
            "השאלה אם הקו ירוויח תלויה בבתי המלון, שנפתחו השנה מוקדם יותר מאשר אי פעם.",
        ],
    ),
    "ru": (
        ["Главная", "Спорт", "Контакты", "Права защищены законом."],
        [
            "Спустя девять лет ночной паром между островами снова отправится из старой гавани в пятницу.",
            "Капитан говорит, что билеты дешевле самолёта, и расписание подогнано под последний поезд.",
            "Рыбаки боятся за свои причалы, и городской совет обещал построить новые за маяком до осени.",
            "Окупится ли линия, зависит от гостиниц, которые в этом году открылись раньше, чем когда-либо.",
        ],
    ),
    "de": (
        ["Startseite", "Sport", "Kontakt", "Alle Rechte vorbehalten."],
        [
            "Nach neun Jahren legt die Nachtfähre zwischen den Inseln am Freitag wieder im alten Hafen ab.",
            "Karten kosten weniger als der Flug, sagt der Kapitän, der Fahrplan folgt dem letzten Zug.",
            "Die Fischer fürchten um ihre Plätze; der Rat versprach neue hinter dem Leuchtturm.",
            "Ob sich die Linie lohnt, hängt von den Hotels ab, die so früh öffnen wie nie zuvor.",
        ],
    ),
}  # fmt: skip


def paragraphs(language: str, number: int) -> list[str]:
    """The article of one page: all sentences, in its own order and with its own numbers."""
    sentences = SITES[language][1]
    turned = sentences[number % 4 :] + sentences[: number % 4]
    return [f"{number}{place} {one} {turned[place - 1]}" for place, one in enumerate(turned)]


def page(language: str, number: int) -> RawPage:
    (home, sport, contact, rights), _ = SITES[language]
    article = paragraphs(language, number)
    title = article[0][3:25]
    text = "".join(f"<p>{one}</p>" for one in article)
    html = f"""<html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head><body>
    <ul class="menu"><li><a href="/">{home}</a></li><li><a href="/s">{sport}</a></li></ul>
    <div class="page"><div class="story"><h1>{title}</h1>{text}</div>
    <div class="rail"><a href="/{number + 1}">{sport} {number + 1}</a></div></div>
    <div class="foot"><a href="/c">{contact}</a> <p>{rights}</p></div></body></html>"""
    said = Announcement(title=title, summary=article[0][:40], language=language)
    url = f"http://{language}.test/{number}"
    return RawPage(url=url, id=str(number), body=html.encode(), announcement=said)


@pytest.mark.parametrize("language", SITES)
def test_group_in_any_script_gives_its_articles_and_no_navigation(language: str) -> None:
    numbers = range(1, 5)
    found = extract_group([page(language, number) for number in numbers], "article")
    texts = [one.text if isinstance(one, Article) else one.reason for one in found.results]
    assert texts == ["\n\n".join(paragraphs(language, number)) for number in numbers]
    assert len(found.learned) == 1


@pytest.mark.parametrize("language", SITES)
def test_wrapper_learned_in_any_script_reads_the_next_page(language: str) -> None:
    learned = extract_group([page(language, number) for number in range(1, 5)], "article").learned
    (article,) = extract_group([page(language, 6)], "article", learned).results
    assert isinstance(article, Article)
    assert article.wrapper == learned[0].id
    assert article.text == "\n\n".join(paragraphs(language, 6))
