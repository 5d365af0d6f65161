"""What currencies are called where a name means one of them: dollars, crowns and yen signs mean several."""

# ruff: noqa: RUF001 - names in their own scripts

from __future__ import annotations

SYMBOLS = {
    "£": "GBP", "€": "EUR", "₹": "INR", "₽": "RUB", "руб": "RUB", "руб.": "RUB", "₩": "KRW", "원": "KRW",
    "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "₴": "UAH", "грн": "UAH", "грн.": "UAH", "₺": "TRY", "TL": "TRY",
    "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "₦": "NGN", "₡": "CRC", "₲": "PYG", "₸": "KZT",
    "₾": "GEL", "円": "JPY", "元": "CNY", "лв": "BGN", "лв.": "BGN", "lei": "RON",
    "Rp": "IDR", "RM": "MYR", "R$": "BRL", "US$": "USD", "U$S": "USD", "A$": "AUD", "AU$": "AUD",
    "C$": "CAD", "CA$": "CAD", "HK$": "HKD", "NZ$": "NZD", "S$": "SGD", "SG$": "SGD", "NT$": "TWD",
    "MX$": "MXN", "euro": "EUR", "Euro": "EUR", "euros": "EUR",
}  # fmt: skip
