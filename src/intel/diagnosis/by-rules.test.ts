import { describe, expect, test } from 'vitest'
import {
  drawFigures,
  honeypotFigures,
  soundFigures,
  unknownFigures,
} from '../../testing/intel/diagnosed-tokens.ts'
import { createSeeded } from '../../testing/seeded.ts'
import { denied } from '../part.ts'
import type { TokenFigures } from '../tokens/token-analysis.ts'
import { judge } from '../tokens/token-analyst.ts'
import { toAssignment } from './diagnose.ts'
import { Draft } from './draft.ts'

const assignmentOf = (figures: TokenFigures) => toAssignment(judge(figures))

/** Tokens of every kind. */
const DRAWN = 150

describe('what rules write', () => {
  test('of a sound token', () => {
    const { verdict, analysis, findings } = assignmentOf(soundFigures).byRules()
    expect(verdict).toBe('ready')
    expect(analysis.split('\n\n')).toMatchInlineSnapshot(`
      [
        "Nothing that was checked speaks against {token}: its risk rating is low, its score 99.9 of 100.",
        "It trades at $0.0421, up 3.6% in 24 hours and down 0.4% in the last hour. Its 3 pools hold $4.31 million, and $812,000 changed hands in 24 hours (buys: 1,200, sells: 1,190). At this price all tokens that exist are worth $42.1 million, those in circulation $31.2 million. Its oldest pool is 400 days old.",
        "Every source that was asked says that it can be sold. Neither purchases nor sales are taxed. No power over those who hold it was found in its contract. The ownership of the contract was given up.",
        "It has 48,200 holders. The ten largest that are neither contracts nor locks own 12.1% of the supply, the largest of them 2.1%. Of the liquidity 97% is locked or burnt.",
      ]
    `)
    expect(findings.map(({ text }) => text)).toMatchInlineSnapshot(`
      [
        "Every source that was asked says that it can be sold.",
        "Its pools hold $4.31 million.",
        "It has 48,200 holders.",
      ]
    `)
  })

  test('of a trap', () => {
    const { verdict, analysis, findings } = assignmentOf(honeypotFigures).byRules()
    expect(verdict).toBe('avoid')
    expect(analysis.split('\n\n')).toMatchInlineSnapshot(`
      [
        "{token} is a token to stay away from: its risk rating is critical, its score 10 of 100. It cannot be sold: a honeypot. Each sale loses a share to the token's tax.",
        "It trades at $0.0421, up 3.6% in 24 hours and down 0.4% in the last hour. Its 3 pools hold $4.31 million, and $812,000 changed hands in 24 hours (buys: 1,200, sells: 1,190). At this price all tokens that exist are worth $42.1 million, those in circulation $31.2 million. Its oldest pool is 400 days old.",
        "The tax takes 100% of a sale and 0% of a purchase. No power over those who hold it was found in its contract. The ownership of the contract was given up.",
        "It has 48,200 holders. The ten largest that are neither contracts nor locks own 12.1% of the supply, the largest of them 2.1%. Of the liquidity 97% is locked or burnt.",
      ]
    `)
    expect(findings[0]).toMatchInlineSnapshot(`
      {
        "facts": [
          "risk.honeypot",
          "selling",
        ],
        "text": "It cannot be sold: a honeypot.",
      }
    `)
  })

  test('of a token that hardly anybody knows', () => {
    const { verdict, analysis, findings } = assignmentOf(unknownFigures).byRules()
    expect(verdict).toBe('unknown')
    expect(analysis.split('\n\n')).toMatchInlineSnapshot(`
      [
        "Too little is known of {token} to judge it: its risk rating is high, its score 30 of 100. Nobody could tell whether it can be sold. That is not a good sign. Only 30% of what the score rests on is known.",
        "It trades at $0.0421, up 3.6% in 24 hours and down 0.4% in the last hour. Its 3 pools hold $4.31 million, and $812,000 changed hands in 24 hours (buys: 1,200, sells: 1,190). At this price all tokens that exist are worth $42.1 million, those in circulation $31.2 million. Its oldest pool is 400 days old.",
        "What a trade is taxed is not known. What the contract allows its owner is not known in full.",
        "Who holds it is not known.",
        "The second source of market data, the source of contract checks, the simulation of trades, the list of holders and the node of the chain could not be asked, and what they would say is missing here.",
      ]
    `)
    expect(findings.map(({ facts }) => facts[0])).toMatchInlineSnapshot(`
      [
        "risk.honeypot_unknown",
        "risk.tax_unknown",
        "risk.powers_unknown",
        "risk.holders_unknown",
        "risk.lock_unknown",
        "liquidity_usd",
        "age_days",
      ]
    `)
  })

  test('tells a source that has nothing on it from one that could not be asked', () => {
    const parts = { ...unknownFigures.parts, blockscout: denied('blockscout'), goplus: denied('goplus') }
    const { analysis } = assignmentOf({ ...unknownFigures, parts }).byRules()
    expect(analysis.split('\n\n').at(-1)).toBe(
      'The source of contract checks and the list of holders answered, without anything on this token. The second source of market data, the simulation of trades and the node of the chain could not be asked, and what they would say is missing here.',
    )
  })

  test('passes the checks that a model must pass, whatever the token is', () => {
    for (let seed = 1; seed <= DRAWN; seed++) {
      const figures = drawFigures(createSeeded(seed))
      const assignment = assignmentOf(figures)
      const draft = assignment.byRules()
      const told = `seed ${seed}: ${JSON.stringify(draft)}`
      expect(Draft.safeParse(draft).error, told).toBeUndefined()
      expect(assignment.findFault(draft), told).toBeUndefined()
      expect(JSON.stringify(draft), told).not.toMatch(/undefined|null|NaN|Infinity/)
    }
  })
})
