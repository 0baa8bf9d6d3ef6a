/** Texts to start with: two versions of a notice, a passage of which moved. */

export const exampleA = `Notice to all members of the swimming club.

The committee met on Monday to discuss the new budget. It agreed to raise the fee by two percent from January, and asked the treasurer to write to all members before the end of the year.

The pool will be closed for cleaning in the last week of August. Lessons for beginners start again in September, on Tuesdays and Thursdays at six in the evening. Please bring your card.

The summer party was a great success. Thank you to everyone who helped with the tables, the music and the cakes.`;

export const exampleB = `Notice to all members and friends of the swimming club.

The summer party was a great success. Thank you to everyone who helped with the tables, the music and the cakes.

The committee met on Tuesday to discuss the new budget. It agreed to raise the fee by three percent from January, and asked the treasurer to write to all members before the end of the year.

The pool will be closed for cleaning in the last week of August. Lessons for beginners start again in October, on Tuesdays and Thursdays at six in the evening.`;
