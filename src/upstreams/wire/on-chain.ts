import { z } from 'zod'
import { WALLET } from '../rules/path-parts.ts'
import { maybeNumber } from './number.ts'
import { wireText } from './text.ts'
import { orUnknown } from './unknown.ts'

// Fields of tokens and pools that mean the same for everybody who tells of them.

/** The longest id of a pool is 66 characters; other chains name whole paths. */
const MAX_ID_CHARS = 256
const HEX = /^0x[0-9a-f]+$/i
const MAX_PRICE_USD = 1e12
/** Above all the money there is: what some tokens claim to be worth is beyond it, and unknown. */
const MAX_USD = 1e15
const MAX_CHANGE_PERCENT = 1e12
const MAX_COUNT = 1e12

/** An address of Base, in lower case. */
export const evmAddress = () =>
  z
    .string()
    .regex(WALLET, 'expected an address')
    .transform((address) => address.toLowerCase())

/** An address or id on any chain. Hexadecimal ones are in lower case; the case of others matters. */
export const chainId = () => wireText(MAX_ID_CHARS, 1).transform(toChainId)
export const toChainId = (id: string): string => (HEX.test(id) ? id.toLowerCase() : id)

/** A price of 0 is one that is not known: what can be traded costs something. */
export const maybePriceUsd = () =>
  maybeNumber({ min: 0, max: MAX_PRICE_USD }).transform((price) => (price === 0 ? undefined : price))
export const maybeUsd = () => maybeNumber({ min: 0, max: MAX_USD })
/** What a provider works out from a supply that nobody checks: it must not cost the pool that it stands in. */
export const claimedUsd = () => orUnknown(maybeUsd())
export const changePercent = () =>
  orUnknown(maybeNumber({ min: -MAX_CHANGE_PERCENT, max: MAX_CHANGE_PERCENT }))
export const maybeCount = () => orUnknown(maybeNumber({ min: 0, max: MAX_COUNT }))
