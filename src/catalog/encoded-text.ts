const ENCODED = Symbol('encoded')

/** A reply whose parts were checked against the schema and encoded before: it is sent as it is. */
export type EncodedText = { readonly [ENCODED]: true; readonly text: string; readonly asOfMs: number }

export const encodedText = (text: string, asOfMs: number): EncodedText => ({ [ENCODED]: true, text, asOfMs })

export const isEncodedText = (made: unknown): made is EncodedText =>
  typeof made === 'object' && made !== null && ENCODED in made
