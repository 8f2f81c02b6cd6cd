import { hkdfSync } from 'node:crypto'
import type { ServiceKey } from '../payments/receipts/service-key.ts'

/** No text of this form is ever signed for others: those are documents of their own formats. */
const SIGNED = 'tollbook: a secret that only processes of this service share'
const SECRET_BYTES = 32

/**
 * A secret that every process with the service key has, and nobody else: nothing more has to be handed around. Ed25519
 * signs the same text with the same bytes every time.
 */
export const fleetSecretOf = ({ sign }: Pick<ServiceKey, 'sign'>, use: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', sign(SIGNED), '', use, SECRET_BYTES))
