/**
 * Contracts that most wallets on Base give approvals to, by their addresses there, each with where it was found. A short
 * list on purpose: what is not on it is not vouched for.
 */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  // docs.base.org, list of contracts.
  ['0x000000000022d473030f116ddee9f6b43ac78ba3', 'Permit2'],
  ['0x2626664c2603336e57b271c5c0b26f421741e481', 'Uniswap: SwapRouter02'],
  // Several lists that name Uniswap's page of v4 deployments as their source.
  ['0x6ff5693b99212da76ad316178a184ab56d299b43', 'Uniswap: Universal Router'],
  // The one before it; several lists of others, for Ethereum and Base. Not found in a list of Uniswap's own.
  ['0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad', 'Uniswap: Universal Router'],
  // aerodrome-finance/contracts, README.
  ['0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43', 'Aerodrome: Router'],
  // 1inch uses one address on all its chains. v5: a real call on Base in tests for hardware wallets; v6: several lists.
  ['0x1111111254eeb25477b68fb85ed929f73a960582', '1inch: Aggregation Router v5'],
  ['0x111111125421ca6dc452d289314280a0f8842a65', '1inch: Aggregation Router v6'],
  // 0x.org, for Ethereum and others; for Base the lists of several that use it.
  ['0xdef1c0ded9bec7f1a1670819833240f027b25eff', '0x: Exchange Proxy'],
  // bgd-labs/aave-address-book, AaveV3Base.
  ['0xa238dd80c259a72e81d7e4664a9801593f98d1c5', 'Aave: Pool v3'],
])

/** The address is in lower case. */
export const findWellKnown = (address: string): string | undefined => WELL_KNOWN.get(address)
