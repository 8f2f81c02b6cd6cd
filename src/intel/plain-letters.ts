const CHEROKEE = 'ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᎾᏀᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏴ'
const CHEROKEE_LOOKS = 'drtiyajewmhyogzbrwsvslcpkdb'
/** Letters of other scripts that look like Latin ones, as they are used to slip words past filters. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...pairs('абвгеёіїјкмнорстухѕһԁԛԝ', 'abbreeiijkmhopctyxshdqw'),
  ...pairs('αβεηικνορτυχω', 'abenikvoptuxw'),
  ...pairs('ıłøđħŧ', 'ilodht'),
  // Capitals that look like others than their small letters do.
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abezhikmnoptyx'),
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'),
  // Cherokee, whose small letters look like small capitals.
  ...pairs(CHEROKEE, CHEROKEE_LOOKS),
  ...pairs(CHEROKEE.toLowerCase(), CHEROKEE_LOOKS),
  // Armenian, Lisu and the syllables of Canada.
  ...pairs('ՍՏՕօոհս', 'usoonhu'),
  ...pairs('ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'bpdtgkjczfmnlsrvhwxyaeiou'),
  ...pairs('ᑌᗪᑕᗷᗴᗩᒪᔕᗯᑎᕼᗅ', 'udcbealswnha'),
  ...pairs('Ʉʉ₮₿Ξ', 'uutbe'),
  // White letters on black boxes and discs; those on white ones are Latin letters after normalization.
  ...alphabetFrom(0x1f150),
  ...alphabetFrom(0x1f170),
}
const LEET: Readonly<Record<string, string>> = { ...pairs('013457@$!|', 'oieastasil') }

const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}|\u034f/gu
const MARKS = /\p{M}+/gu
const NOT_WORDS = /[^\p{L}\p{N}]+/gu
/** Single letters with gaps between them: `i g n o r e`. */
const SPELT_OUT = /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}][\s.\-_*·]{1,2}){4,}[\p{L}\p{N}](?![\p{L}\p{N}])/gu

/** Most texts: nothing in them can be written in two ways. */
export const isPlainAscii = (text: string): boolean => /^[\t\n\r -~]*$/.test(text)
/** Where look-alikes stand. */
const MAYBE_LOOKALIKES =
  /[\u00f8-\u1d7f\u20a0-\u20cf\ua4d0-\ua4ff\ua700-\ua7ff\uab70-\uabbf\u{1f150}-\u{1f189}]+/gu
const NOT_ASCII_WORDS = /[^a-z0-9]+/g
/** Digits and signs that stand inside a word. */
const LEET_WORD = /\p{L}[013457@$!|]+\p{L}/u

/** A text as its reader may take it: words of small Latin letters with one space between them. */
export function plainLetters(text: string): string {
  return toWords(withoutDisguise(text).replace(SPELT_OUT, joined))
}

/** The same, with digits and signs read as the letters that they stand for: `1gn0r3`; undefined where there are none. */
export function findLeetLetters(text: string): string | undefined {
  if (!LEET_WORD.test(text)) return undefined
  return toWords(readLeet(withoutDisguise(text)).replace(SPELT_OUT, joined))
}

/** Digits and signs as the letters that they stand for. */
export const readLeet = (text: string) => text.replace(/[013457@$!|]/g, (sign) => LEET[sign] ?? sign)

/** Other scripts stay as they are: for words of languages that do not use Latin letters. */
export function smallLetters(text: string): string {
  if (isPlainAscii(text)) return text.toLowerCase().replace(NOT_ASCII_WORDS, ' ').trim()
  return toWords(text.normalize('NFKC').replace(UNSEEN, '').toLowerCase())
}

/** Normalization makes another letter of these, which no longer looks like the Latin one. */
const LUNATE = /[\u03f2\u03f9]/g

/** In small Latin letters, as far as it looks like such; signs stay. */
export function withoutDisguise(text: string): string {
  if (isPlainAscii(text)) return text.toLowerCase()
  const visible = text.replace(LUNATE, 'c').normalize('NFKC').replace(UNSEEN, '')
  const bare = visible.normalize('NFD').replace(MARKS, '')
  return toLatin(toLatin(bare).toLowerCase())
}

const toLatin = (text: string) =>
  text.replace(MAYBE_LOOKALIKES, (run) => Array.from(run, (letter) => LOOKALIKES[letter] ?? letter).join(''))

const joined = (letters: string) => ` ${letters.replace(NOT_WORDS, '')} `
const toWords = (text: string) => text.replace(NOT_WORDS, ' ').trim()

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(from).map((letter, index) => [letter, to[index] ?? letter]))
}

function alphabetFrom(first: number): Record<string, string> {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(first + index)).join('')
  return pairs(letters, 'abcdefghijklmnopqrstuvwxyz')
}
