import { PLAIN_WORDS } from './plain-words.ts'

// A list of what is forbidden is never whole, so a text is made of words that are allowed: those of the facts, of the
// text by rules, and of a fixed list. A name that no fact has is in none of them.

const WORD = /(?<![A-Za-z0-9])[A-Za-z]+(?:['’][A-Za-z]+)?/g
const SENTENCE = /[^.!?\n]+(?:\.(?=\d)[^.!?\n]+)*[.!?]?/g
/** A capital letter elsewhere than at the start of a sentence or a quotation makes a name of any word. */
const NAME = /[a-z0-9,;%)–—-] +[A-Z]/
const SHORT_FORMS = /\b(?:USD|FDV)\b/g
/** Facts may say these of what is the case; in sentences of others they tell the future, or of everybody. */
const FORECAST =
  /\b(?:will|would|shall|should|must|may|might|ought|soon|ever|(?:about|going|set|due|likely) to|(?:can|could|to) (?:[a-z]+ )?(?:rise|gain|climb|grow|increase|fall|drop|decline|decrease|lose))\b/i
const TOTAL =
  /\b(?:nobody|no one|none|never|always|everybody|everyone|anybody|anyone|somebody|someone|whoever)\b/i
const CHANGE =
  /\b(?:rose|ris(?:e[sn]?|ing)|gain\w*|climb\w*|increas\w*|fell|fall\w*|lost|los(?:e[sr]?|es|ing)|drop\w*|declin\w*|decreas\w*)\b/i

/**
 * Says what is wrong with the words of a text; undefined where nothing is. `told` are the facts' sentences and the text
 * by rules: what repeats a sentence of them may stand, whatever it says.
 */
export function createWordCheck(told: readonly string[]): (text: string) => string | undefined {
  const known = new Set([...PLAIN_STEMS, ...told.flatMap(wordsOf).map(stemOf)])
  const sentences = [...new Set(told.flatMap(sentencesOf))]
  const isBare = (sentence: string) => CHANGE.test(sentence) && !/\d/.test(sentence)
  return (text) => {
    const own = sentences.reduce((left, sentence) => left.replaceAll(sentence, ' . '), text)
    if (NAME.test(own.replace(SHORT_FORMS, 'x'))) return 'a name'
    if (!wordsOf(own).every((word) => known.has(stemOf(word)))) return 'a word that no fact uses'
    if (FORECAST.test(own)) return 'a forecast'
    if (TOTAL.test(own)) return 'a statement on everybody'
    return sentencesOf(own).some(isBare) ? 'a change without a number' : undefined
  }
}

const sentencesOf = (text: string): string[] =>
  (text.match(SENTENCE) ?? []).map((sentence) => sentence.trim()).filter((sentence) => sentence.length > 2)

const wordsOf = (text: string): string[] =>
  (text.match(WORD) ?? []).map((word) =>
    word
      .toLowerCase()
      .replace(/^can['’]t$/, 'cannot')
      .replace(/n['’]t$|['’]s$/, ''),
  )

/** Without its ending, so that `sells` and `selling` are `sell`. Alike for all: it need not be a word. */
const stemOf = (word: string): string =>
  word
    .replace(/(?<=..[a-z])ie[ds]$/, 'y')
    .replace(/(?<=..[a-z])(?:ing|ed|es|ely|ly|s|e|d)$/, '')
    .replace(/(?<=..)([a-z])\1$/, '$1')

const PLAIN_STEMS: ReadonlySet<string> = new Set(PLAIN_WORDS.map(stemOf))
