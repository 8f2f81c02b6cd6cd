/** Questions and answers of one turn as bytes: one message each way costs less than an object for each payment. */
const HASH_BYTES = 32
const RS_BYTES = 64
const ADDRESS_BYTES = 20
/** The hash, r, s and the recovery. */
export const QUESTION_BYTES = HASH_BYTES + RS_BYTES + 1
/** Whether there is a signer, and its address. */
export const ANSWER_BYTES = 1 + ADDRESS_BYTES

export type Question = { hash: Uint8Array; rs: Uint8Array; recovery: 0 | 1 }

export function packQuestions(questions: readonly Question[]): Uint8Array {
  const packed = new Uint8Array(questions.length * QUESTION_BYTES)
  questions.forEach(({ hash, rs, recovery }, index) => {
    const at = index * QUESTION_BYTES
    packed.set(hash, at)
    packed.set(rs, at + HASH_BYTES)
    packed[at + HASH_BYTES + RS_BYTES] = recovery
  })
  return packed
}

export function readQuestion(packed: Uint8Array, index: number): Question {
  const at = index * QUESTION_BYTES
  const rsAt = at + HASH_BYTES
  const recoveryAt = rsAt + RS_BYTES
  return {
    hash: packed.subarray(at, rsAt),
    rs: packed.subarray(rsAt, recoveryAt),
    recovery: packed[recoveryAt] === 1 ? 1 : 0,
  }
}

export function writeAnswer(packed: Uint8Array, index: number, address: Uint8Array | undefined): void {
  if (!address) return
  const at = index * ANSWER_BYTES
  packed[at] = 1
  packed.set(address, at + 1)
}

/** Undefined where there is no signer. */
export function readAnswer(packed: Uint8Array, index: number): Uint8Array | undefined {
  const at = index * ANSWER_BYTES
  return packed[at] === 1 ? packed.subarray(at + 1, at + ANSWER_BYTES) : undefined
}
