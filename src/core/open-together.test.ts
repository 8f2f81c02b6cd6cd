import { expect, test } from 'vitest'
import { openTogether } from './open-together.ts'

test('what was opened is closed again when the other fails, also when it opens later', async () => {
  const closed: string[] = []
  const open = async (name: string, waitMs = 0) => {
    await new Promise((done) => setTimeout(done, waitMs))
    return { close: () => void closed.push(name) }
  }
  const broken = () => Promise.reject(new Error('the disk is full'))
  await expect(openTogether(open('late', 5), broken())).rejects.toThrow('the disk is full')
  await expect(openTogether(broken(), open('second'))).rejects.toThrow('the disk is full')
  await expect(openTogether(broken(), Promise.resolve(undefined))).rejects.toThrow('the disk is full')
  expect(closed).toEqual(['late', 'second'])
  expect(await openTogether(open('a'), Promise.resolve(undefined))).toEqual([expect.anything(), undefined])
  expect(closed).toHaveLength(2)
})
