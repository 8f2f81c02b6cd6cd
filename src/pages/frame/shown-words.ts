import { shownText } from '../../core/shown-text.ts'

/** Shorter than any address of a wallet: what is quoted can name nobody to send money to. */
const QUOTED_CHARS = 30

/** Words of a visitor's address as a page of ours may quote them: on one line, cut, nothing unseen. */
export const shownWords = (text: string): string => shownText(text, QUOTED_CHARS)
