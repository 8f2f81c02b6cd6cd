import { z } from 'zod'

/** Line ends and tabs among them: a message is one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
/** They turn the direction of what stands beside them: a text would read otherwise than it was typed. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
/** Joiners belong between letters and between the parts of an emoji, and nowhere else. */
const JOINED =
  /(?<=\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier})[\u200c\u200d](?=\p{L}|\p{Extended_Pictographic})/gu
/** Takes no room, or is nothing: format characters, private ones, half characters, fillers. */
const UNSEEN =
  /\p{Cf}|\p{Co}|\p{Cs}|\p{Noncharacter_Code_Point}|\u034f|[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|[\u180b-\u180f]|[\u{e0100}-\u{e01ef}]/u
/** More marks on one letter than any language puts there cover the lines above and below. */
const PILED = /\p{M}{5}/u
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

/** What is wrong with a line that somebody typed and others will see; undefined where nothing is. */
export function findTypedFault(text: string): string | undefined {
  if (CONTROL.test(text)) return 'must have no control characters, line ends and tabs among them'
  if (TURNS.test(text)) return 'must have no characters that turn the direction of writing'
  if (UNSEEN.test(text.replace(JOINED, ''))) return 'must have no invisible or private characters'
  if (PILED.test(text)) return 'must have at most four marks on one letter'
  return SEEN.test(text) ? undefined : 'must not be blank'
}

/**
 * A line of 1 to `max` characters, kept as it was typed but for its normal form (NFC). What would deceive its readers is
 * refused, not cleaned: nobody's words are changed. Markup is text like any other.
 */
export const TypedLine = (max: number) =>
  z
    .string()
    .normalize('NFC')
    .superRefine((text, context) => {
      const count = Array.from(text).length
      const bound = { origin: 'string', inclusive: true, input: text } as const
      if (count < 1)
        context.addIssue({ ...bound, code: 'too_small', minimum: 1, message: 'must have a character' })
      else if (count > max)
        context.addIssue({
          ...bound,
          code: 'too_big',
          maximum: max,
          message: `must have at most ${max} characters`,
        })
      else {
        const fault = findTypedFault(text)
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
      }
    })
    .meta({ minLength: 1, maxLength: max })
