import { type Address, type Hex, keccak256, stringToHex } from 'viem'

/** 32 bytes that stand for a name: the id of a pool, the hash of a transaction. */
export const simHash = (name: string): Hex => keccak256(stringToHex(`tollbook sandbox/${name}`))

/** An address nobody has a key for, in lower case. */
export const simAddress = (name: string): Address => simHash(name).slice(0, 42) as Address
