import { describe, expect, it } from 'vitest'
import { CATEGORIES } from '../../intel/directory/listing.ts'
import { discover } from './discover.ts'

describe('discover', () => {
  it('is described in few words, and its example has its shape', () => {
    expect(discover.description.length).toBeLessThanOrEqual(500)
    expect(discover.response.parse(discover.example)).toEqual(discover.example)
  })

  it('asks for nothing that must be given', () => {
    expect(discover.params.parse({})).toEqual({ q: '', category: '', limit: 10 })
    for (const category of ['', ...CATEGORIES])
      expect(discover.params.safeParse({ category, limit: 20, q: 'x'.repeat(200) }).success).toBe(true)
  })

  it('says before the payment what to write where nothing can be looked for', () => {
    const [issue] = discover.params.safeParse({ q: '\u0001' }).error?.issues ?? []
    expect(issue).toMatchObject({ path: ['q'], message: expect.stringContaining('or leave it out') })
    for (const q of [' ', 'weather', '天', 'a1', 'x402.org', 'wea\u0000ther'])
      expect(discover.params.safeParse({ q }).success).toBe(true)
  })

  it.each([
    { limit: 0 },
    { limit: 21 },
    { limit: 1.5 },
    { category: 'other' },
    { category: 'ecosystem-infrastructure' },
    { q: 'x'.repeat(201) },
    { q: '\u0000\u0007' },
    { q: '?! 🙂' },
    { q: 'the of and' },
    { q: '\u200b\u202e' },
  ])('refuses %j', (params) => {
    expect(discover.params.safeParse(params).success).toBe(false)
  })
})
