/** A thread of its own that recovers signers: where there is a second core, it takes the largest part of a sale there. */
import { parentPort } from 'node:worker_threads'
import { addressOf } from '../evm-signature.ts'
import { recoverPoint } from '../recover-point.ts'
import { ANSWER_BYTES, QUESTION_BYTES, readQuestion, writeAnswer } from './packed.ts'

parentPort?.on('message', (questions: Uint8Array) => {
  const count = questions.length / QUESTION_BYTES
  const answers = new Uint8Array(count * ANSWER_BYTES)
  for (let index = 0; index < count; index++) {
    const { hash, rs, recovery } = readQuestion(questions, index)
    const point = recoverPoint(hash, rs, recovery)
    writeAnswer(answers, index, point && addressOf(point))
  }
  parentPort?.postMessage(answers)
})
