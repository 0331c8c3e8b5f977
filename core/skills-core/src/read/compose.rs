//! Decomposes names, because macOS treats `é` and `e` followed by a combining accent as the same name.

use skills_text::sort;

/// Returns the canonical decomposition of a name, for characters below U+3000, which keyboards can compose,
/// and for Hangul. Names with the same decomposition are equal on a file system that normalizes.
pub(super) fn decomposed(name: &str) -> String {
    if name.is_ascii() {
        return name.to_owned();
    }
    let mut parts: Vec<(char, [char; 2])> = Vec::new();
    for group in PAIRS.split(' ') {
        let mut letters = group.chars();
        let Some(mark) = letters.next() else { continue };
        while let (Some(whole), Some(first)) = (letters.next(), letters.next()) {
            parts.push((whole, [first, mark]));
        }
    }
    sort(&mut parts, &|a, b| a.0.cmp(&b.0));
    let part = |c: char| parts.binary_search_by(|(whole, _)| whole.cmp(&c)).ok().map(|at| parts[at].1);
    let mut out = String::with_capacity(name.len());
    // The first character of a decomposition may have a decomposition itself, up to four times.
    let mut rest: Vec<char> = name.chars().rev().collect();
    while let Some(c) = rest.pop() {
        match (part(c), hangul(c)) {
            (Some([first, mark]), _) => rest.extend([mark, first]),
            (None, Some(letters)) => out.extend(letters.into_iter().flatten()),
            (None, None) => out.push(c),
        }
    }
    out
}

/// Returns the letters of a Korean syllable, by the algorithm in section 3.12 of the Unicode standard.
fn hangul(c: char) -> Option<[Option<char>; 3]> {
    let at = u32::from(c).checked_sub(0xac00).filter(|at| *at < 11_172)?;
    let tail = Some(at % 28).filter(|tail| *tail > 0).and_then(|tail| char::from_u32(0x11a7 + tail));
    Some([char::from_u32(0x1100 + at / 588), char::from_u32(0x1161 + at % 588 / 28), tail])
}

/// Each combining mark, followed by pairs of a composed letter and its base letter.
const PAIRS: &str = "\u{300}ÀAÈEÌIÒOÙUàaèeìiòoùuǛÜǜüǸNǹnЀЕЍИѐеѝиḔĒḕēṐŌṑōẀWẁwẦÂầâẰĂằăỀÊềêỒÔồôỜƠờơỪƯừưỲYỳyἂἀἃἁἊἈἋἉἒἐἓἑ\
    ἚἘἛἙἢἠἣἡἪἨἫἩἲἰἳἱἺἸἻἹὂὀὃὁὊὈὋὉὒὐὓὑὛὙὢὠὣὡὪὨὫὩὰαὲεὴηὶιὸοὺυὼωᾺΑῈΕῊΗ\u{1fcd}\u{1fbf}ῒϊῚΙ\u{1fdd}\u{1ffe}ῢϋῪΥ\
    \u{1fed}\u{a8}ῸΟῺΩ \u{301}ÁAÉEÍIÓOÚUÝYáaéeíióoúuýyĆCćcĹLĺlŃNńnŔRŕrŚSśsŹZźzǗÜǘüǴGǵgǺÅǻåǼÆǽæǾØǿø\u{344}\u{308}\
    \u{385}\u{a8}ΆΑΈΕΉΗΊΙΌΟΎΥΏΩΐϊάαέεήηίιΰϋόούυώωϓϒЃГЌКѓгќкḈÇḉçḖĒḗēḮÏḯïḰKḱkḾMḿmṌÕṍõṒŌṓōṔPṕpṸŨṹũẂWẃwẤÂấâẮĂắăẾÊếêỐÔốôỚƠ\
    ớơỨƯứưἄἀἅἁἌἈἍἉἔἐἕἑἜἘἝἙἤἠἥἡἬἨἭἩἴἰἵἱἼἸἽἹὄὀὅὁὌὈὍὉὔὐὕὑὝὙὤὠὥὡὬὨὭὩ\u{1fce}\u{1fbf}\u{1fde}\u{1ffe} \u{302}ÂAÊEÎIÔOÛUâa\
    êeîiôoûuĈCĉcĜGĝgĤHĥhĴJĵjŜSŝsŴWŵwŶYŷyẐZẑzẬẠậạỆẸệẹỘỌộọ \u{303}ÃAÑNÕOãañnõoĨIĩiŨUũuṼVṽvẪÂẫâẴĂẵăẼEẽeỄÊễêỖÔỗôỠƠỡơỮƯữư\
    ỸYỹy \u{308}ÄAËEÏIÖOÜUäaëeïiöoüuÿyŸYΪΙΫΥϊιϋυϔϒЁЕЇІёеїіӒАӓаӚӘӛәӜЖӝжӞЗӟзӤИӥиӦОӧоӪӨӫөӬЭӭэӰУӱуӴЧӵчӸЫӹыḦHḧhṎÕṏõṺŪṻūẄW\
    ẅwẌXẍxẗt \u{30a}ÅAåaŮUůuẘwẙy \u{327}ÇCçcĢGģgĶKķkĻLļlŅNņnŖRŗrŞSşsŢTţtȨEȩeḐDḑdḨHḩh \u{304}ĀAāaĒEēeĪIīiŌOōoŪUūuǕÜǖü\
    ǞÄǟäǠȦǡȧǢÆǣæǬǪǭǫȪÖȫöȬÕȭõȰȮȱȯȲYȳyӢИӣиӮУӯуḠGḡgḸḶḹḷṜṚṝṛᾱαᾹΑῑιῙΙῡυῩΥ \u{306}ĂAăaĔEĕeĞGğgĬIĭiŎOŏoŬUŭuЎУЙИйиўуӁЖӂжӐАӑа\
    ӖЕӗеḜȨḝȩẶẠặạᾰαᾸΑῐιῘΙῠυῨΥ \u{328}ĄAąaĘEęeĮIįiŲUųuǪOǫo \u{307}ĊCċcĖEėeĠGġgİIŻZżzȦAȧaȮOȯoḂBḃbḊDḋdḞFḟfḢHḣhṀMṁmṄNṅnṖP\
    ṗpṘRṙrṠSṡsṤŚṥśṦŠṧšṨṢṩṣṪTṫtẆWẇwẊXẋxẎYẏyẛſ \u{30c}ČCčcĎDďdĚEěeĽLľlŇNňnŘRřrŠSšsŤTťtŽZžzǍAǎaǏIǐiǑOǒoǓUǔuǙÜǚüǦGǧgǨKǩk\
    ǮƷǯʒǰjȞHȟh \u{30b}ŐOőoŰUűuӲУӳу \u{31b}ƠOơoƯUưu \u{30f}ȀAȁaȄEȅeȈIȉiȌOȍoȐRȑrȔUȕuѶѴѷѵ \u{311}ȂAȃaȆEȇeȊIȋiȎOȏoȒRȓrȖU\
    ȗu \u{326}ȘSșsȚTțt \u{653}\u{622}\u{627} \u{654}\u{623}\u{627}\u{624}\u{648}\u{626}\u{64a}\u{6c0}\u{6d5}\
    \u{6c2}\u{6c1}\u{6d3}\u{6d2} \u{655}\u{625}\u{627} \u{93c}ऩनऱरऴळ\u{958}क\u{959}ख\u{95a}ग\u{95b}ज\u{95c}ड\u{95d}ढ\
    \u{95e}फ\u{95f}य \u{9be}\u{9cb}\u{9c7} \u{9d7}\u{9cc}\u{9c7} \u{9bc}\u{9dc}ড\u{9dd}ঢ\u{9df}য \u{a3c}\u{a33}ਲ\
    \u{a36}ਸ\u{a59}ਖ\u{a5a}ਗ\u{a5b}ਜ\u{a5e}ਫ \u{b56}\u{b48}\u{b47} \u{b3e}\u{b4b}\u{b47} \u{b57}\u{b4c}\u{b47} \
    \u{b3c}\u{b5c}ଡ\u{b5d}ଢ \u{bd7}ஔஒ\u{bcc}\u{bc6} \u{bbe}\u{bca}\u{bc6}\u{bcb}\u{bc7} \u{c56}\u{c48}\u{c46} \u{cd5}\
    \u{cc0}\u{cbf}\u{cc7}\u{cc6}\u{ccb}\u{cca} \u{cd6}\u{cc8}\u{cc6} \u{cc2}\u{cca}\u{cc6} \u{d3e}\u{d4a}\u{d46}\
    \u{d4b}\u{d47} \u{d57}\u{d4c}\u{d46} \u{dca}\u{dda}\u{dd9}\u{ddd}\u{ddc} \u{dcf}\u{ddc}\u{dd9} \u{ddf}\
    \u{dde}\u{dd9} \u{fb7}\u{f43}ག\u{f4d}ཌ\u{f52}ད\u{f57}བ\u{f5c}ཛ\u{f93}\u{f92}\u{f9d}\u{f9c}\u{fa2}\u{fa1}\
    \u{fa7}\u{fa6}\u{fac}\u{fab} \u{fb5}\u{f69}ཀ\u{fb9}\u{f90} \u{f72}\u{f73}\u{f71} \u{f74}\u{f75}\u{f71} \u{f80}\
    \u{f76}\u{fb2}\u{f78}\u{fb3}\u{f81}\u{f71} \u{102e}ဦဥ \u{1b35}ᬆᬅᬈᬇᬊᬉᬌᬋᬎᬍᬒᬑ\u{1b3b}\u{1b3a}\u{1b3d}\u{1b3c}\
    \u{1b40}\u{1b3e}\u{1b41}\u{1b3f}\u{1b43}\u{1b42} \u{325}ḀAḁa \u{323}ḄBḅbḌDḍdḤHḥhḲKḳkḶLḷlṂMṃmṆNṇnṚRṛrṢSṣsṬTṭtṾVṿv\
    ẈWẉwẒZẓzẠAạaẸEẹeỊIịiỌOọoỢƠợơỤUụuỰƯựưỴYỵy \u{331}ḆBḇbḎDḏdḴKḵkḺLḻlṈNṉnṞRṟrṮTṯtẔZẕzẖh \u{32d}ḒDḓdḘEḙeḼLḽlṊNṋnṰTṱtṶU\
    ṷu \u{330}ḚEḛeḬIḭiṴUṵu \u{32e}ḪHḫh \u{324}ṲUṳu \u{309}ẢAảaẨÂẩâẲĂẳăẺEẻeỂÊểêỈIỉiỎOỏoỔÔổôỞƠởơỦUủuỬƯửưỶYỷy \u{313}ἀα\
    ἈΑἐεἘΕἠηἨΗἰιἸΙὀοὈΟὐυὠωὨΩῤρ \u{314}ἁαἉΑἑεἙΕἡηἩΗἱιἹΙὁοὉΟὑυὙΥὡωὩΩῥρῬΡ \u{342}ἆἀἇἁἎἈἏἉἦἠἧἡἮἨἯἩἶἰἷἱἾἸἿἹὖὐὗὑὟὙὦὠὧὡὮὨὯὩ\
    ᾶα\u{1fc1}\u{a8}ῆη\u{1fcf}\u{1fbf}ῖιῗϊ\u{1fdf}\u{1ffe}ῦυῧϋῶω \u{345}ᾀἀᾁἁᾂἂᾃἃᾄἄᾅἅᾆἆᾇἇᾈἈᾉἉᾊἊᾋἋᾌἌᾍἍᾎἎᾏἏᾐἠᾑἡᾒἢᾓἣᾔἤᾕἥ\
    ᾖἦᾗἧᾘἨᾙἩᾚἪᾛἫᾜἬᾝἭᾞἮᾟἯᾠὠᾡὡᾢὢᾣὣᾤὤᾥὥᾦὦᾧὧᾨὨᾩὩᾪὪᾫὫᾬὬᾭὭᾮὮᾯὯᾲὰᾳαᾴάᾷᾶᾼΑῂὴῃηῄήῇῆῌΗῲὼῳωῴώῷῶῼΩ \u{338}↚←↛→↮↔\u{21cd}\u{21d0}\
    ⇎⇔⇏⇒∄∃∉∈∌∋∤∣∦∥≁∼≄≃≇≅≉≈≠=≢≡≭≍≮<≯>≰≤≱≥≴≲≵≳≸≶≹≷⊀≺⊁≻⊄⊂⊅⊃⊈⊆⊉⊇⊬⊢⊭⊨⊮⊩⊯⊫⋠≼⋡≽⋢⊑⋣⊒⋪⊲⋫⊳⋬⊴⋭⊵\u{2adc}⫝";

#[cfg(test)]
mod tests {
    use super::decomposed;

    // SPEC 12.11
    #[test]
    fn composed_letters_are_decomposed() {
        for (composed, apart) in [
            ("caf\u{e9}", "cafe\u{301}"),
            ("\u{1ed8}", "O\u{323}\u{302}"),
            ("\u{d55c}\u{ae00}", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
        ] {
            assert_eq!(decomposed(composed), apart);
            assert_eq!(decomposed(apart), apart);
        }
        assert_eq!(decomposed("plain.md"), "plain.md");
        assert_eq!(decomposed("\u{6280}\u{80fd}"), "\u{6280}\u{80fd}");
    }
}
