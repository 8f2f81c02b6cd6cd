/** Numbers that a text may write in letters. `one` is an ordinary word. */
export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
}

/** Amounts in letters that no text needs: facts are written in digits. */
const LARGER = [
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty', 'thirty'],
  ...['forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety', 'hundreds?', 'thousands?', 'millions?'],
  ...['billions?', 'trillions?', 'dozens?', 'half', 'halves', 'quarters?', 'thirds?', 'twice', 'thrice'],
  ...['doubl\\w+', 'tripl\\w+', 'quadrupl\\w+', '\\w+fold'],
]
export const LARGER_WORDS = new RegExp(`\\b(?:${LARGER.join('|')})\\b`, 'i')
