"""The commonest Chinese characters, for telling encodings, scripts and languages apart."""

from __future__ import annotations

_BOTH = (
    "的一是不了在人有我他中上大和地到以要就出可也你生能而子那得下自之年作用道行所然家事成方多去法如都同"
    "面起看定天分好小部其些主理心她本前因只想日者意力把十民第公此已工使情明性知全三又正外高由很最重物手"
    "向文政美相被利什二等或新己制身果加西斯月合回特代信化老世位次度任常先海通教原提立及比解水名走各入口"
    "平系活更打女四神何安少才反受目太量再感建做接必件管期市直德命山金指克保至形社便空治展科司五基眼非白"
    "界光放即像且思王象完式色路南品住告求程北死交取拉格望共清今切院候字幕集版本下片影完全新更"
)
_SIMPLIFIED_ONLY = (
    "们这个国来时说会对发后过还学种经么业关点问应战体见产给门东声员条气题尔别变总电数报结务场计资许统区队"
    "马书听觉术领确传师观动现当进样开但从实军无与长机间将两并头论处义几认为于着里没话内表任决达强难权设记"
    "类据边张该规万识带导争运转载压缩档载录复论坛帐号码验证请您登录级组"
)
_TRADITIONAL_ONLY = (
    "們這個國來時說會對發後過還學種經麼業關點問應戰體見產給門東聲員條氣題爾別變總電數報結務場計資許統區隊"
    "馬書聽覺術領確傳師觀動現當進樣開從實軍無與長機間將兩並頭論處義幾認為於著裡沒話內決達強難權設記類據邊"
    "張該規萬識帶導爭運轉載壓縮檔錄復壇帳號碼驗證請您級組"
)

COMMON_SIMPLIFIED = frozenset(_BOTH + _SIMPLIFIED_ONLY)
COMMON_TRADITIONAL = frozenset(_BOTH + _TRADITIONAL_ONLY)
ONLY_SIMPLIFIED = frozenset(_SIMPLIFIED_ONLY) - frozenset(_TRADITIONAL_ONLY) - frozenset(_BOTH)
ONLY_TRADITIONAL = frozenset(_TRADITIONAL_ONLY) - frozenset(_SIMPLIFIED_ONLY) - frozenset(_BOTH)
