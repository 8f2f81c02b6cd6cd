import { plainLetters, readLeet } from '../../intel/plain-letters.ts'

/** Letters that look alike in some typeface, beyond those that every reader of disguised text knows. */
const fold = (letters: string) => letters.replace(/[iӏ1|]/g, 'l').replaceAll('ь', 'b')

const SERVICE_NAME = fold('tollbook')
/** Within other words too, but not in words that only happen to hold them. */
const OFFICES = ['(?<!co)operator', 'moderator', 'admin(?!ton)', '(?<!un)official'].map(
  (office) => new RegExp(fold(office)),
)
/** These are in many names: Modest, Stafford, supporter. */
const OFFICE_WORDS = /(?:^| )(?:mod|support|staff)(?:s|team|desk|bot|staff)?(?: |$)/

const CASE_CHANGE = /(\p{Ll})(\p{Lu})/gu
const DIGIT_CHANGE = /(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu
const DIGITS_BEHIND = /(?<=\p{L})\p{N}+(?!\p{L}|\p{N})/gu

/** Whether somebody calls himself what only the service may be called, also in letters that look alike. */
export function isOwnName(author: string): boolean {
  const apart = author.replace(CASE_CHANGE, '$1 $2')
  const readings = [
    author,
    apart.replace(DIGIT_CHANGE, '$1$2 '),
    readLeet(author),
    readLeet(apart.replace(DIGITS_BEHIND, '')),
  ]
  return readings.some((reading) => {
    const name = fold(plainLetters(reading))
    return (
      name.replaceAll(' ', '').includes(SERVICE_NAME) ||
      OFFICES.some((office) => office.test(name)) ||
      OFFICE_WORDS.test(name)
    )
  })
}
