import { notSignedIn } from '../../account/not-signed-in.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { NONCES_MAX, type SignInBook } from '../../ledger/ports/sign-in-book.ts'

type Ports = { clock: Clock; book: Pick<SignInBook, 'spendNonce'> }
type Signed = {
  wallet: string
  nonce: string
  /** Asked once more: the chain may have taken its time. */
  isTimely: (nowMs: number) => boolean
  /** It holds the project token, or has paid. */
  isCustomer: () => Promise<boolean>
}

/** A wallet costs nothing to make: strangers do not get the room of customers. */
export const STRANGERS_ROOM = NONCES_MAX / 2

/**
 * The last step of whatever a wallet signed, so that nobody but the wallet can use up its nonces. Challenges and proofs
 * share one space: the text of the one can be sent as the other. By wallet: two may have chosen the same nonce.
 */
export async function spendNonce({ clock, book }: Ports, signed: Signed): Promise<void> {
  const { wallet, nonce, isTimely, isCustomer } = signed
  const spend = async (room: number) => {
    const nowMs = clock.now()
    if (!isTimely(nowMs)) throw notSignedIn('nonce_expired', wallet)
    return book.spendNonce(`${wallet} ${nonce}`, { nowMs, room })
  }
  const tried = await spend(STRANGERS_ROOM)
  const spent = tried === 'full' && (await isCustomer()) ? await spend(NONCES_MAX) : tried
  if (spent === 'full') throw new ServiceError('store_unavailable', 'too many wallets are signing in')
  if (spent === 'used') throw notSignedIn('nonce_used', wallet)
}
