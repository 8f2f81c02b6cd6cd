import type { RateLimit } from '../catalog/rate-limit.ts'

// No client alone may use up what all who have not paid share: each gets a third, even if no two looks go out together.

/** DexScreener is asked once a second for tokens that nobody has paid for yet. */
export const TOKEN_LOOKS: RateLimit = { name: 'token-looks', calls: 20, windowS: 60 }

/** The explorer is asked every other second for wallets that nobody has paid for yet. */
export const WALLET_LOOKS: RateLimit = { name: 'wallet-looks', calls: 10, windowS: 60 }
