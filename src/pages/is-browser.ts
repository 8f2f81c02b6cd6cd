/**
 * A person in front of a browser, who gets a page instead of JSON. The same two signs as the stock x402 servers read:
 * programs that accept HTML do not call themselves Mozilla, and a page's own fetch does not ask for HTML.
 */
export function isBrowser(accept: string | undefined, userAgent: string | undefined): boolean {
  return (
    accept !== undefined &&
    userAgent !== undefined &&
    /\btext\/html\b/i.test(accept) &&
    /mozilla/i.test(userAgent)
  )
}
