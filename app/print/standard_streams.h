// Standard output of every command: a failed write is an error.
#pragma once

namespace neumann::app {

// At the start: a stream that is closed is opened to nowhere, so that no file of the command gets its number.
void reserve_standard_streams();

// At the end: throws FileError if something that was printed did not arrive.
void finish_standard_output();

}  // namespace neumann::app
