const readline = require('readline').createInterface({ input: process.stdin });
let sum = 0;
readline.on('line', (line) => line.split(' ').forEach((word) => { sum += Number(word); }));
readline.on('close', () => console.log(sum));
