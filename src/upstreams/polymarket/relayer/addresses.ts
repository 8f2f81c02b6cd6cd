/** Polymarket's contracts on Polygon; the sandbox has its own at the same addresses. */
export const POLYMARKET_CONTRACTS = {
  collateral: '0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB',
  outcomeTokens: '0x4D97DCd97eC945f40cF65F87097ACe5EA0476045',
  exchange: '0xE111180000d2663C0091e4f400237545B87B996B',
  collateralAdapter: '0xAdA100Db00Ca00073811820692005400218FcE1f',
  walletFactory: '0x00000000000Fb5C9ADea0298D729A0CB3823Cc07',
  walletImplementation: '0x58CA52ebe0DadfdF531Cde7062e76746de4Db1eB',
} as const

/** Polygon: what every signature for the venue names. */
export const POLYMARKET_CHAIN_ID = 137
