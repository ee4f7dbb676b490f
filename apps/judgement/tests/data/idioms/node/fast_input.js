const lines = require('fs').readFileSync(0, 'utf8').split('\n');
let sum = 0;
for (const line of lines) for (const word of line.split(' ')) sum += Number(word);
console.log(sum);
