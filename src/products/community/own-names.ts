import { findLeetLetters, plainLetters } from '../../intel/plain-letters.ts'

const SERVICE_NAME = /tollbook/
const OFFICES =
  /(?:^| )(?:operators?|admins?|administrators?|moderators?|mods?|official|support|staff)(?: |$)/

/** Whether somebody calls himself what only the service may be called, also in letters that look alike. */
export function isOwnName(author: string): boolean {
  return [plainLetters(author), findLeetLetters(author) ?? ''].some(
    (name) => SERVICE_NAME.test(name.replaceAll(' ', '')) || OFFICES.test(name),
  )
}
