/** One after another; one that fails does not hold up the others. Rejects with the first failure when all were tried. */
export async function forEvery<T>(items: Iterable<T>, act: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const item of items) await act(item).catch((err: unknown) => failures.push(err))
  if (failures.length > 0) throw failures[0]
}
