import type { Address, Hex } from 'viem'
import type { UnsignedBatch } from '../../upstreams/polymarket/relayer/deposit-wallet.ts'

/** A batch of calls that the owner of a deposit wallet has signed (EIP-712). */
export type WalletBatch = UnsignedBatch & { signature: Hex }

/** One fill as money: what the wallet gets and gives. Amounts are millionths. */
export type Settlement = {
  wallet: Address
  conditionId: Hex
  tokenId: bigint
  side: 'BUY' | 'SELL'
  shares: bigint
  /** Price times shares, without the fee. */
  collateral: bigint
  fee: bigint
}

/** What contracts did for a wallet outside of trading, told as the account data shows it. */
export type CustodyEvent = {
  /** The same whenever it is read from the chain. */
  id: string
  block: number
  type: 'SPLIT' | 'MERGE' | 'REDEEM'
  wallet: Address
  conditionId: Hex
  /** Of a redeem, one event for each outcome token; undefined for the others. */
  tokenId: bigint | undefined
  shares: bigint
  collateral: bigint
  transactionHash: Hex
  atMs: number
}

/** What the contracts do not allow, in their own words. Nothing has moved. */
export class CustodyRefused extends Error {}

/** Who owns what on the local chain: pUSD, outcome tokens and deposit wallets, by contracts of their own. */
export type Custody = {
  collateralOf(wallet: Address): Promise<bigint>
  /** What each exchange contract may take of the wallet's collateral. */
  allowancesOf(wallet: Address): Promise<Readonly<Record<Address, bigint>>>
  sharesOf(wallet: Address, tokenIds: readonly bigint[]): Promise<readonly bigint[]>
  /** The exchange contract may move the wallet's outcome tokens. */
  mayMoveShares(wallet: Address): Promise<boolean>
  /** As the exchange contract decides it: by `ecrecover` for an EOA (type 0), by the deposit wallet's `isValidSignature` (type 3). */
  isSigned(order: { hash: Hex; signer: Address; signatureType: number; signature: Hex }): Promise<boolean>
  /** Tells the contracts of a market; it does nothing the second time. */
  prepare(conditionId: Hex, tokenIds: readonly [bigint, bigint]): Promise<void>
  /**
   * Moves shares and collateral of all fills in one transaction, or of none: `CustodyRefused` where somebody has too
   * little. Any other error leaves open whether they moved; the same id again never moves them twice.
   */
  settle(id: Hex, fills: readonly Settlement[]): Promise<Hex>
  /** The transaction that carried out a settlement; undefined where none did. */
  settledBy(id: Hex): Promise<Hex | undefined>
  /** Share of a dollar that each outcome pays, in millionths. */
  resolve(conditionId: Hex, payouts: readonly [bigint, bigint]): Promise<void>
  /** What each outcome pays, in millionths; undefined until it is resolved. */
  payoutsOf(conditionId: Hex): Promise<readonly [bigint, bigint] | undefined>
  walletOf(owner: Address): Address
  isDeployed(wallet: Address): Promise<boolean>
  deploy(owner: Address): Promise<Hex>
  nonceOf(wallet: Address): Promise<bigint>
  execute(batch: WalletBatch): Promise<Hex>
  mint(wallet: Address, amount: bigint): Promise<void>
  onEvent(listener: (event: CustodyEvent) => void): () => void
  /** What the chain still knows of the blocks after this one, oldest first, and its newest block. */
  eventsAfter(block: number): Promise<{ events: readonly CustodyEvent[]; head: number }>
  /** False where the chain has lost an event that it once told: it was killed and began again from an older state. */
  hasEvent(event: Pick<CustodyEvent, 'transactionHash' | 'block'>): Promise<boolean>
  close(): void
}
