/** `await using`, for compilers that know it (TypeScript 5.2 and up). */
import { openIndex } from 'neardup';

await using index = await openIndex('memory:');
await index.add({ id: 'a', text: 'closed at the end of the block' });
