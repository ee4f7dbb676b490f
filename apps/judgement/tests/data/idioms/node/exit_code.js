console.log(42);
process.exit(134);
