// How numbers and times are written, on every page: by scripts, and by the server for what a script keeps up to date.
// All times are UTC.

export const NOTHING = '–'
const MINUS = '−'

const wholeFormat = new Intl.NumberFormat('en-US')
const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const amountFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

export const count = (value) => wholeFormat.format(value)
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`
/** `$1,200.50` */
export const dollars = (value) => dollarFormat.format(value).replace('-', MINUS)
/** `1,200.50`, with the digits of a price down to a millionth. */
export const amount = (value) => amountFormat.format(value).replace('-', MINUS)
/** A gain or a loss, with its sign. */
export const signed = (value, toText = dollars) => (value > 0 ? `+${toText(value)}` : toText(value))

const isoOf = (epochS) => new Date(epochS * 1000).toISOString()
/** `12:00:05` */
export const secondOf = (epochS) => isoOf(epochS).slice(11, 19)
/** `12:00` */
export const minuteOf = (epochS) => isoOf(epochS).slice(11, 16)
/** `01-05 12:00` */
export const dayAndMinuteOf = (epochS) => dateAndMinuteOf(isoOf(epochS)).slice(5)
/** `2026-01-05 12:00`, of an ISO time. */
export const dateAndMinuteOf = (iso) => iso.slice(0, 16).replace('T', ' ')
/** `12:00 to 12:05 UTC` */
export const spanOf = (fromS, toS) => `${minuteOf(fromS)} to ${minuteOf(toS)} UTC`
