import { countersLost } from './redis-fault.ts'

/** What a script of ours answers: so many whole numbers, none below zero. Anything else is no count. */
export function parseWholeNumbers(reply: unknown, count: number): number[] {
  if (!Array.isArray(reply) || reply.length !== count || !reply.every(isWhole))
    throw countersLost(new Error('redis answers what is no count'))
  return reply
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
