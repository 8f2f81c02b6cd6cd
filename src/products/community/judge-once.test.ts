import { expect, test } from 'vitest'
import { judgeOnce } from './judge-once.ts'

test('a text is judged once while it is kept', () => {
  const asked: string[] = []
  const judge = judgeOnce((text) => asked.push(text) > 0 && text === 'bad', 2)
  expect(['bad', 'good', 'bad', 'good', 'bad'].map(judge)).toEqual([true, false, true, false, true])
  expect(asked).toEqual(['bad', 'good'])
  judge('third')
  judge('bad')
  expect(asked).toEqual(['bad', 'good', 'third', 'bad'])
})
