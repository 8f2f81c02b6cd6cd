type Open = { close(): Promise<void> | void } | undefined

/** Waits for both; where one fails, the other is closed again, so that a start that fails leaves nothing running. */
export async function openTogether<A extends Open, B extends Open>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second])
  if (a.status === 'fulfilled' && b.status === 'fulfilled') return [a.value, b.value]
  for (const each of [a, b]) if (each.status === 'fulfilled') await each.value?.close()
  throw a.status === 'rejected' ? a.reason : (b as PromiseRejectedResult).reason
}
