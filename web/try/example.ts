/** Notices to try the page with: versions of one another, exact copies, and others. */

const subjects = [
  [
    'pool',
    'The pool will be closed for cleaning in the last week of August. Lessons for beginners start again in September, on Tuesdays and Thursdays at six in the evening. Please bring your card and a towel.',
  ],
  [
    'budget',
    'The committee met on Monday to discuss the new budget. It agreed to raise the fee by two percent from January, and asked the treasurer to write to all members before the end of the year.',
  ],
  [
    'party',
    'The summer party was a great success. Thank you to everyone who helped with the tables, the music and the cakes. Photographs are on the board beside the entrance until the end of the month.',
  ],
  [
    'fish',
    'Tropical fish include fish found in tropical environments around the world, including both freshwater and salt water species. Many of them are kept in aquariums for their bright colours.',
  ],
  [
    'library',
    'The library opens an hour earlier on Saturdays from now on. Books can be returned at any time through the slot in the door. Children under twelve read free of charge.',
  ],
] as const;

const changes: readonly ((text: string) => string)[] = [
  text => text,
  text => `${text} This notice replaces the one of last week.`,
  text => text.replace('the', 'this').replace('and', 'as well as'),
  text => text.toUpperCase(),
];

export function exampleFile(): File {
  const lines = subjects.flatMap(([name, text]) =>
    changes.map((change, at) => JSON.stringify({ id: `${name}-${at + 1}`, text: change(text) })),
  );
  const copy = JSON.stringify({ id: 'pool-copy', text: subjects[0][1] });
  return new File([[...lines, copy, 'this line is no JSON'].join('\n')], 'notices.jsonl');
}
