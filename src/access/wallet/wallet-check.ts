import type { IncomingMessage } from 'node:http'
import { notSignedIn } from '../../account/not-signed-in.ts'
import type { Callers } from '../../catalog/caller.ts'
import { EVM_NETWORK } from '../../payments/challenge/terms.ts'
import type { ClientKey } from '../client-key.ts'
import type { CheckProof } from './siwx.ts'
import type { Tokens } from './tokens.ts'

const BEARER = /^Bearer(?: +|$)/i

type WithHeaders = { headers: Readonly<Record<string, string | string[] | undefined>> }

/**
 * What stands after `Bearer`, whatever it is; undefined where the request brings no such credential. Other schemes are
 * between the client and a proxy.
 */
export function findBearer({ headers }: WithHeaders): string | undefined {
  const given = headers.authorization
  return typeof given === 'string' && BEARER.test(given) ? given.replace(BEARER, '') : undefined
}

type Ports = { tokens: Tokens; checkProof: CheckProof; clientKey: ClientKey }

/** Lets in a wallet that proves who it is: by `SIGN-IN-WITH-X` for this call, or by a token. */
export function createPayerCheck({ tokens, checkProof, clientKey }: Ports) {
  return async (request: IncomingMessage): Promise<Callers['payer']> => {
    const client = clientKey(request)
    const proof = request.headers['sign-in-with-x']
    if (typeof proof === 'string') return { kind: 'payer', client, ...(await checkProof(proof, client)) }
    const token = findBearer(request)
    if (token === undefined) throw notSignedIn('token_missing')
    return { kind: 'payer', client, wallet: (await tokens.check(token)).wallet, network: EVM_NETWORK }
  }
}

/** Lets in whoever brings a token of ours. */
export function createWalletCheck({ tokens, clientKey }: Omit<Ports, 'checkProof'>) {
  return async (request: IncomingMessage): Promise<Callers['wallet']> => {
    // Asked before anything is waited for: a caller that leaves takes its socket along.
    const client = clientKey(request)
    const token = findBearer(request)
    if (token === undefined) throw notSignedIn('token_missing')
    const { wallet, tier, id, expiresMs } = await tokens.check(token)
    return { kind: 'wallet', client, wallet, tier: tier.name, token: { id, expiresMs } }
  }
}
