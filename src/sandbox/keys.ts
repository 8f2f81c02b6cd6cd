import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { explainFileFault } from '../core/file-fault.ts'
import { createPrivateFile, writePrivateFile } from '../core/private-file.ts'
import { type Secret, secret } from '../core/secret.ts'
import { KEYS_FILE } from './state-files.ts'

/** The keys of one sandbox. A payment signed for them cannot reach a real address. */
const SandboxKeys = z.object({
  evm_pay_to: z.string().regex(/^0x[0-9a-f]{64}$/),
  svm_pay_to: z.string(),
  svm_fee_payer: z.string(),
  /** Absent in files of the first version, which had no EVM chain. */
  evm_facilitator: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .optional(),
  /** Owner of the deposit wallet at the simulated prediction venue; absent in files of older versions. */
  prediction_owner: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .optional(),
})
export type SandboxAddresses = { evm: string; svm: { address: string; feePayer: string } }

/** What the facilitator signs its transactions with: `0x` and 64 hex digits, and a base58 Ed25519 seed. */
export type FacilitatorKeys = { evm: Secret; svm: Secret }

/** Made at the first start and kept: receipts name these addresses. */
export function openSandboxKeys(dataDir: string): SandboxAddresses {
  const file = join(dataDir, KEYS_FILE)
  return toAddresses(existsSync(file) ? readKeys(file) : makeKeys(file))
}

/** Undefined where none were made yet; makes none. */
export function findSandboxAddresses(dataDir: string): SandboxAddresses | undefined {
  const file = join(dataDir, KEYS_FILE)
  return existsSync(file) ? toAddresses(readKeys(file)) : undefined
}

const toAddresses = (keys: z.infer<typeof SandboxKeys>): SandboxAddresses => ({
  evm: privateKeyToAddress(keys.evm_pay_to as `0x${string}`),
  svm: { address: toSvmAddress(keys.svm_pay_to), feePayer: toSvmAddress(keys.svm_fee_payer) },
})

/** Keys of the in-process facilitator; the Solana one is the fee payer named in the payment terms. */
export function openFacilitatorKeys(dataDir: string): FacilitatorKeys {
  const { evm_facilitator, svm_fee_payer } = withKey(dataDir, 'evm_facilitator')
  return { evm: secret(evm_facilitator), svm: secret(svm_fee_payer) }
}

/** Owner of the account that the service trades with at the simulated prediction venue: `0x` and 64 hex digits. */
export function openPredictionKey(dataDir: string): Secret {
  return secret(withKey(dataDir, 'prediction_owner').prediction_owner)
}

type LaterKey = 'evm_facilitator' | 'prediction_owner'

/** The keys of the file, which gets the one that it lacks. */
function withKey<Name extends LaterKey>(dataDir: string, name: Name) {
  const file = join(dataDir, KEYS_FILE)
  const keys = existsSync(file) ? readKeys(file) : makeKeys(file)
  const whole = { ...keys, [name]: keys[name] ?? generatePrivateKey() }
  if (!keys[name]) writePrivateFile(file, JSON.stringify(whole, null, 2))
  return whole as typeof keys & Record<Name, string>
}

function readKeys(file: string): z.infer<typeof SandboxKeys> {
  try {
    return SandboxKeys.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const fault = explainFileFault(file, cause)
    if (fault) throw fault
    throw new Error(
      `${file} is damaged: put it back from a backup, or remove it and run ./tollbook adopt to get new sandbox keys`,
      { cause },
    )
  }
}

function makeKeys(file: string): z.infer<typeof SandboxKeys> {
  const keys = {
    evm_pay_to: generatePrivateKey(),
    svm_pay_to: makeSvmKey(),
    svm_fee_payer: makeSvmKey(),
    evm_facilitator: generatePrivateKey(),
    prediction_owner: generatePrivateKey(),
  }
  // Another process of this directory may have made them since: there is one set of keys, whoever was first.
  return createPrivateFile(file, JSON.stringify(keys, null, 2)) ? keys : readKeys(file)
}

/** 32-byte Ed25519 seed, base58. */
function makeSvmKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return base58.encode(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-SEED_BYTES))
}

const SEED_BYTES = 32
/** The bytes before the seed in a PKCS #8 Ed25519 key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function toSvmAddress(seed: string): string {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, base58.decode(seed)]),
    format: 'der',
    type: 'pkcs8',
  })
  return base58.encode(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES))
}
